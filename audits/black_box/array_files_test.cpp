#include "audits/black_box/array_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <vector>

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Number>
std::string bytes_of(const std::vector<Number>& numbers) {
  std::string out(numbers.size() * sizeof(Number), '\0');
  std::memcpy(out.data(), numbers.data(), out.size());
  return out;
}

// As numpy.save writes it: the header ends at a multiple of 64.
std::string npy(const std::string& type, const std::string& shape, const std::string& data,
                int version = 1, const std::string& order = "False") {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }";
  const std::size_t start = version == 1 ? 10 : 12;
  header.resize((start + header.size() + 64) / 64 * 64 - start, ' ');
  header.back() = '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(version);
  out += '\0';
  for (std::size_t k = 0, length = header.size(); k < start - 8; ++k, length /= 256)
    out += static_cast<char>(length % 256);
  return out + header + data;
}

class ArrayFiles : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(path_); }

  struct Read {
    Outputs outputs;
    bool floating;
  };
  Read read(const std::string& ending, const std::string& bytes) {
    path_ = ::testing::TempDir() + "array_files_test_" + std::to_string(getpid()) + ending;
    std::ofstream(path_, std::ios::binary) << bytes;
    ArrayFile file(path_);
    return {file.next(file.left()), file.is_floating()};
  }
  std::string complaint(const std::string& ending, const std::string& bytes) {
    try {
      read(ending, bytes);
    } catch (const std::invalid_argument& failure) {
      return failure.what();
    }
    return "";
  }

  std::string path_;
};

TEST_F(ArrayFiles, ReadsRawDoubles) {
  const double inf = std::numeric_limits<double>::infinity();
  const Read read_back =
      read(".f64", bytes_of<double>({1.5, -0.1, inf, std::numeric_limits<double>::quiet_NaN()}));
  ASSERT_EQ(read_back.outputs.size(), 4U);
  EXPECT_TRUE(read_back.floating);
  EXPECT_THAT(read_back.outputs[1], ElementsAre(-0.1));
  EXPECT_THAT(read_back.outputs[2], ElementsAre(inf));
  EXPECT_TRUE(std::isnan(read_back.outputs[3][0]));
  EXPECT_THAT(complaint(".f64", "123456789"),
              HasSubstr("number of bytes is 9, but must be a multiple of 8"));
}

TEST_F(ArrayFiles, ReadsWhatNumpySaves) {
  for (const int version : {1, 2, 3}) {
    const Read vectors =
        read(".npy", npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, 0.1}), version));
    ASSERT_EQ(vectors.outputs.size(), 2U);
    EXPECT_THAT(vectors.outputs[0], ElementsAre(1, 2, 3));
    EXPECT_THAT(vectors.outputs[1], ElementsAre(4, 5, 0.1));
  }
  const Read floats = read(".npy", npy("<f4", "(3,)", bytes_of<float>({0.1F, 2, 3})));
  ASSERT_EQ(floats.outputs.size(), 3U);
  EXPECT_TRUE(floats.floating);
  EXPECT_THAT(floats.outputs[0], ElementsAre(static_cast<double>(0.1F)));
}

// Beyond 2^53 neighbouring integers share their nearest double.
TEST_F(ArrayFiles, KeepsIntegersApart) {
  const std::int64_t big = std::int64_t{1} << 53,
                     largest = std::numeric_limits<std::int64_t>::max();
  const Read one = read(
      ".npy", npy("<i8", "(5,)", bytes_of<std::int64_t>({-3, big, big + 1, largest, -largest})));
  EXPECT_FALSE(one.floating);
  EXPECT_THAT(one.outputs[0], ElementsAre(-3));
  EXPECT_THAT(one.outputs[1], ElementsAre(0x1p53));
  EXPECT_THAT(one.outputs[2], ElementsAre(0x1p53, 1));
  EXPECT_THAT(one.outputs[3], ElementsAre(0x1p63, -1));
  EXPECT_THAT(one.outputs[4], ElementsAre(-0x1p63, 1));
  const Read two =
      read(".npy", npy("<i8", "(2, 2)", bytes_of<std::int64_t>({big + 1, big, big, big + 1})));
  EXPECT_THAT(two.outputs[0], ElementsAre(0x1p53, 0x1p53, 1, 0));
  EXPECT_THAT(two.outputs[1], ElementsAre(0x1p53, 0x1p53, 0, 1));
}

TEST_F(ArrayFiles, SayWhatTheyCannotRead) {
  const std::string data = bytes_of<double>({1, 2});
  EXPECT_THAT(complaint(".npy", ""), HasSubstr("without the first bytes of NPY"));
  EXPECT_THAT(complaint(".npy", data), HasSubstr("without the first bytes of NPY"));
  EXPECT_THAT(complaint(".npy", npy("<f8", "(2,)", data, 4)),
              HasSubstr("version is 4, but must be 1, 2 or 3"));
  EXPECT_THAT(complaint(".npy", npy("<f8", "(2,)", data).substr(0, 40)), HasSubstr("cut off"));
  EXPECT_THAT(complaint(".npy", npy(">f8", "(2,)", data)),
              HasSubstr("'descr' is '>f8', but must be '<f8', '<f4' or '<i8'"));
  EXPECT_THAT(complaint(".npy", npy("<f8", "(2, 1)", data, 1, "True")),
              HasSubstr("'fortran_order' is True"));
  for (const char* shape : {"()", "(0,)", "(2, 0)", "(1, 1, 2)", "(-2,)", "(x)", "2"})
    EXPECT_THAT(complaint(".npy", npy("<f8", shape, data)), HasSubstr("'shape'")) << shape;
  EXPECT_THAT(complaint(".npy", npy("<f8", "(9223372036854775807, 2)", data)),
              HasSubstr("larger than any file"));
  EXPECT_THAT(complaint(".npy", npy("<f8", "(3,)", data)),
              HasSubstr("number of bytes is 144, but must be 152, as the header says"));
  EXPECT_THAT(complaint(".npy", npy("<f8", "(1,)", data)), HasSubstr("but must be 136"));
  EXPECT_THROW(ArrayFile("/no/such.npy"), std::invalid_argument);
}

TEST_F(ArrayFiles, AreReadInParts) {
  const std::string bytes = npy("<f4", "(5, 2)", bytes_of<float>({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
  const Outputs whole = read(".npy", bytes).outputs;
  ArrayFile file(path_);
  Outputs parts;
  for (const std::size_t left : {5U, 3U, 1U}) {
    EXPECT_EQ(file.left(), left);
    const Outputs next = file.next(2);
    EXPECT_EQ(next.size(), std::min<std::size_t>(2, left));
    parts.append(next);
  }
  EXPECT_EQ(file.left(), 0U);
  EXPECT_TRUE(file.next(2).empty());
  ASSERT_EQ(parts.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) EXPECT_EQ(parts[k], whole[k]) << k;
}

}  // namespace
}  // namespace dpverify
