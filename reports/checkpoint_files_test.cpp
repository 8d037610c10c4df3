#include "reports/checkpoint_files.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "reports/atomic_file.hpp"

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class Checkpoints : public ::testing::Test {
 protected:
  void SetUp() override { fs::remove_all(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  CheckpointFiles files(const std::string& program = "one") { return {folder_, program, say_}; }

  std::vector<fs::path> names() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder_)) found.push_back(entry.path());
    return found;
  }

  fs::path folder_ = fs::path(::testing::TempDir()) /
                     ("checkpoint_files_test_" + std::to_string(getpid()) + "_" +
                      ::testing::UnitTest::GetInstance()->current_test_info()->name());
  std::vector<std::string> said_;
  std::function<void(const std::string&)> say_ = [this](const std::string& line) {
    said_.push_back(line);
  };
};

TEST_F(Checkpoints, AreThoseOfTheSameProgramAndKey) {
  CheckpointFiles mine = files(), others = files("two");
  const CheckpointStore store = mine.store();
  EXPECT_FALSE(store.recall("key"));
  store.keep("key", "text\n");
  EXPECT_EQ(store.recall("key"), "text\n");
  EXPECT_EQ(mine.recalled(), 1);
  EXPECT_FALSE(store.recall("another key"));
  EXPECT_FALSE(others.store().recall("key"));
  others.store().keep("key", "its text");
  EXPECT_EQ(others.store().recall("key"), "its text");
  EXPECT_FALSE(store.recall("key"));
  EXPECT_THAT(said_, IsEmpty()) << "nothing is wrong with what another program has left";
}

// A file under the name of another key is not its text, though nothing in it is damaged.
TEST_F(Checkpoints, AFileOfAnotherKeyIsNotUsed) {
  CheckpointFiles mine = files();
  mine.keep("first", "1");
  const fs::path first = names().at(0);
  const std::string text = read_file(first);
  mine.keep("second", "2");
  for (const fs::path& file : names()) write_atomically(file, text);
  EXPECT_EQ(mine.recall("first"), "1");
  EXPECT_FALSE(mine.recall("second"));
  EXPECT_THAT(said_, IsEmpty());
}

// What the next test runs in a copy of this program.
TEST(Fingerprint, DISABLED_IsPrinted) {
  std::cout << "fingerprint " << program_fingerprint() << "\n";
}

// One more byte at the end, which nothing reads, is another program.
TEST_F(Checkpoints, TheFingerprintIsThatOfTheBytesOfTheProgram) {
  fs::create_directories(folder_);
  const fs::path copy = folder_ / "copy";
  fs::copy_file("/proc/self/exe", copy);
  const auto fingerprint_of_copy = [&] {
    // Of all shards, whichever this is.
    const std::string command = "env -u GTEST_TOTAL_SHARDS -u GTEST_SHARD_INDEX " + copy.string() +
                                " --gtest_also_run_disabled_tests "
                                "--gtest_filter=Fingerprint.DISABLED_IsPrinted 2>&1";
    const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
    std::string text;
    for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get()))
      text += static_cast<char>(c);
    const std::string before = "fingerprint ";
    const auto place = text.find(before);
    return place == std::string::npos ? "none" : text.substr(place + before.size(), 32);
  };
  EXPECT_THAT(program_fingerprint(), ::testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_EQ(fingerprint_of_copy(), program_fingerprint());
  std::ofstream(copy, std::ios::app) << 'x';
  const std::string other = fingerprint_of_copy();
  EXPECT_THAT(other, ::testing::MatchesRegex("[0-9a-f]{32}"));
  EXPECT_NE(other, program_fingerprint());
}

// Every byte matters: those of the checksum, the program, the key and the text.
TEST_F(Checkpoints, ABitThatIsWrongIsNoticed) {
  CheckpointFiles mine = files();
  const CheckpointStore store = mine.store();
  store.keep("key", "-0.540 nan");
  ASSERT_EQ(names().size(), 1U);
  const fs::path file = names()[0];
  const std::string good = read_file(file);
  for (std::size_t i = 0; i < good.size(); ++i) {
    std::string bad = good;
    bad[i] = static_cast<char>(bad[i] ^ 1);
    write_atomically(file, bad);
    said_.clear();
    EXPECT_FALSE(store.recall("key")) << i;
    EXPECT_THAT(said_, ElementsAre(AllOf(HasSubstr(file.string()), HasSubstr("is damaged")))) << i;
  }
  for (std::size_t size = 0; size < good.size(); ++size) {
    write_atomically(file, good.substr(0, size));
    said_.clear();
    EXPECT_FALSE(store.recall("key")) << size;
    EXPECT_EQ(said_.size(), 1U) << size;
  }
  said_.clear();
  store.keep("key", "-0.540 nan");
  EXPECT_EQ(store.recall("key"), "-0.540 nan");
  EXPECT_THAT(said_, IsEmpty());
}

TEST_F(Checkpoints, AFileThatCannotBeReadIsMeasuredAgain) {
  CheckpointFiles mine = files();
  mine.store().keep("key", "text");
  const fs::path file = names().at(0);
  fs::remove(file);
  fs::create_directory(file);
  EXPECT_FALSE(mine.store().recall("key"));
  EXPECT_THAT(said_, ElementsAre(HasSubstr("Is a directory")));
  fs::remove(file);
  fs::create_symlink(file.filename(), file);
  EXPECT_FALSE(mine.store().recall("key"));
  EXPECT_EQ(said_.size(), 2U);
}

TEST_F(Checkpoints, WithoutRoomTheRunGoesOnAndSaysSoOnce) {
  CheckpointFiles mine = files();
  fs::remove(folder_);
  mine.store().keep("key", "text");
  EXPECT_EQ(mine.store().recall("key"), "text") << "another run has removed the empty folder";
  fs::remove_all(folder_);
  std::ofstream(folder_) << "in the way";
  mine.store().keep("key", "text");
  mine.store().keep("another", "text");
  EXPECT_THAT(said_, ElementsAre(AllOf(HasSubstr("cannot write"), HasSubstr("starts afresh"))));
}

TEST_F(Checkpoints, ForgetsAPiece) {
  CheckpointFiles mine = files();
  mine.keep("key", "text");
  mine.keep("another", "text");
  mine.forget("key");
  EXPECT_FALSE(mine.recall("key"));
  EXPECT_TRUE(mine.recall("another"));
}

TEST_F(Checkpoints, RemovesWhatItHasUsedAndNothingElse) {
  {
    CheckpointFiles killed = files();
    killed.store().keep("first", "1");
    killed.store().keep("of another run", "2");
  }
  CheckpointFiles mine = files();
  EXPECT_TRUE(mine.store().recall("first"));
  mine.store().keep("second", "3");
  mine.remove();
  EXPECT_EQ(names().size(), 1U);
  CheckpointFiles last = files();
  EXPECT_TRUE(last.store().recall("of another run"));
  last.remove();
  EXPECT_FALSE(fs::exists(folder_));
}

}  // namespace
}  // namespace dpverify
