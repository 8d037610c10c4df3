#include "audits/black_box/output_files.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

namespace dpverify {
namespace {

class OutputFilesTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& bytes) {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }

  std::filesystem::path folder_ =
      ::testing::TempDir() + "output_files_test_" + std::to_string(getpid());
};

// The numbers from..from + count - 1, a line each.
std::string lines(int from, int count) {
  std::string out;
  for (int k = 0; k < count; ++k) out += fmt::format("{}\n", from + k);
  return out;
}

std::string doubles(int from, int count) {
  std::string out;
  for (int k = 0; k < count; ++k) {
    const double x = from + k;
    out.append(reinterpret_cast<const char*>(&x), sizeof x);
  }
  return out;
}

struct Parts {
  std::size_t held;
  std::vector<double> numbers;  // held and further ones
};

Parts parts_of(OutputFiles& files, std::size_t side) {
  Parts parts{files.outputs[side].size(), {}};
  for (const Output x : files.outputs[side]) parts.numbers.push_back(x[0]);
  for (Outputs next = files.further(side); !next.empty(); next = files.further(side))
    for (const Output x : next) parts.numbers.push_back(x[0]);
  EXPECT_EQ(files.further_sizes()[side], parts.numbers.size() - parts.held);
  return parts;
}

std::vector<double> numbers(int from, int count) {
  std::vector<double> out;
  for (int k = 0; k < count; ++k) out.push_back(from + k);
  return out;
}

TEST_F(OutputFilesTest, WhatFollowsManyOutputsIsReadAsItIsCounted) {
  const std::string long_text = write("a.csv", lines(100, 300)),
                    header = write("b.csv", "loss\n" + lines(100, 300)),
                    array = write("c.f64", doubles(100, 300)),
                    short_text = write("d.csv", lines(100, 25));
  const auto held = [&](const std::string& first, const std::string& second, std::size_t most) {
    OutputFiles files({first, second}, most);
    const Parts one = parts_of(files, 0), other = parts_of(files, 1);
    EXPECT_EQ(one.numbers, numbers(100, static_cast<int>(one.numbers.size()))) << first;
    EXPECT_EQ(other.numbers, numbers(100, static_cast<int>(other.numbers.size()))) << second;
    EXPECT_EQ(one.numbers.size(), first == short_text ? 25U : 300U);
    EXPECT_EQ(other.numbers.size(), second == short_text ? 25U : 300U);
    return std::array{one.held, other.held};
  };
  EXPECT_EQ(held(long_text, long_text, 20), (std::array<std::size_t, 2>{21, 21}));  // no header
  EXPECT_EQ(held(header, header, 20), (std::array<std::size_t, 2>{20, 20}));
  EXPECT_EQ(held(array, array, 20), (std::array<std::size_t, 2>{20, 20}));
  EXPECT_EQ(held(array, long_text, 20), (std::array<std::size_t, 2>{20, 21}));
  // Too few of either to learn from some and to count others.
  EXPECT_EQ(held(long_text, long_text, 200), (std::array<std::size_t, 2>{300, 300}));
  EXPECT_EQ(held(long_text, short_text, 20), (std::array<std::size_t, 2>{300, 25}));
  EXPECT_EQ(held(array, array, 200), (std::array<std::size_t, 2>{300, 300}));
}

TEST_F(OutputFilesTest, WritingInFullIsCountedOverBothFiles) {
  const std::string full = write("full.csv", "0.12345678901234567\n0.22345678901234567\n"),
                    rounded = write("rounded.csv", "0.5\n0.25\n0.75\n");
  EXPECT_TRUE(OutputFiles({full, full}).reader.full_precision());
  EXPECT_FALSE(OutputFiles({full, rounded}).reader.full_precision());
  EXPECT_FALSE(OutputFiles({rounded, full}).reader.full_precision());
}

TEST_F(OutputFilesTest, TextsOfBothFilesAreKnownByTheirWords) {
  OutputFiles files({write("a.csv", "yes\nyes\nno\n"), write("b.csv", "no\nperhaps\nno\n")});
  for (const auto& [side, line, word] :
       {std::tuple{0U, 0U, "'yes'"}, std::tuple{1U, 1U, "'perhaps'"}}) {
    const double code = files.outputs[side][line][1];
    EXPECT_EQ(files.reader.with_texts(fmt::format("{}", code)), word);
  }
}

}  // namespace
}  // namespace dpverify
