#include "reports/atomic_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <string>
#include <vector>

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class AtomicFile : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) /
              ("atomic_file_test_" + std::to_string(getpid()) + "_" +
               ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_))
      names.push_back(entry.path().filename());
    return names;
  }

  fs::path folder_;
};

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no FileError";
}

// While it lives, no file of this process can grow beyond `bytes`: a full disk, as far as the
// program can tell.
class LimitedFileSize {
 public:
  explicit LimitedFileSize(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit limited = before_;
    limited.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &limited);
  }
  LimitedFileSize(const LimitedFileSize&) = delete;
  LimitedFileSize& operator=(const LimitedFileSize&) = delete;
  ~LimitedFileSize() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(AtomicFile, WritesAndReplaces) {
  const fs::path file = folder_ / "report.json";
  write_atomically(file, "first");
  write_atomically(file, std::string("second\0part", 11));
  EXPECT_EQ(read_file(file), std::string("second\0part", 11));
  EXPECT_THAT(files(), ElementsAre("report.json"));
}

TEST_F(AtomicFile, AFullDiskLeavesTheOldFileAndNothingElse) {
  const fs::path file = folder_ / "report.json";
  write_atomically(file, "old");
  std::string message;
  {
    const LimitedFileSize limit(1000);
    message = message_of([&] { write_atomically(file, std::string(5000, 'x')); });
  }
  EXPECT_THAT(message, AllOf(HasSubstr("cannot write " + file.string()), HasSubstr("too large")));
  EXPECT_EQ(read_file(file), "old");
  EXPECT_THAT(files(), ElementsAre("report.json"));
}

TEST_F(AtomicFile, AFullDiskLeavesNothingWhereNothingWas) {
  {
    const LimitedFileSize limit(1000);
    EXPECT_THROW(write_atomically(folder_ / "report.json", std::string(5000, 'x')), FileError);
  }
  EXPECT_THAT(files(), IsEmpty());
}

TEST_F(AtomicFile, AFolderInTheWayLeavesNothingBehind) {
  fs::create_directories(folder_ / "report.json");
  EXPECT_THAT(message_of([&] { write_atomically(folder_ / "report.json", "x"); }),
              HasSubstr("report.json: Is a directory"));
  EXPECT_THAT(files(), ElementsAre("report.json"));
}

TEST_F(AtomicFile, AMissingFolderIsAnError) {
  EXPECT_THAT(message_of([&] { write_atomically(folder_ / "no" / "report.json", "x"); }),
              HasSubstr("No such file or directory"));
}

TEST_F(AtomicFile, PreparesNestedFoldersOnceAndAgain) {
  const fs::path nested = folder_ / "a" / "b";
  prepare_folder(nested);
  prepare_folder(nested);
  EXPECT_TRUE(fs::is_directory(nested));
}

TEST_F(AtomicFile, APlainFileIsNoFolder) {
  write_atomically(folder_ / "plain", "x");
  EXPECT_THAT(message_of([&] { prepare_folder(folder_ / "plain"); }),
              AllOf(HasSubstr("plain"), HasSubstr("Not a directory")));
  EXPECT_THAT(message_of([&] { prepare_folder(folder_ / "plain" / "below"); }),
              HasSubstr("Not a directory"));
}

TEST_F(AtomicFile, ReadingWhatIsNotThereIsAnError) {
  EXPECT_THAT(message_of([&] { read_file(folder_ / "no.json"); }),
              HasSubstr("no.json: No such file or directory"));
  EXPECT_THAT(message_of([&] { read_file(folder_); }), HasSubstr("Is a directory"));
}

}  // namespace
}  // namespace dpverify
