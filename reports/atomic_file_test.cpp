#include "reports/atomic_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace dpverify {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

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

mode_t mode_of(const fs::path& file) {
  struct stat found {};
  EXPECT_EQ(lstat(file.c_str(), &found), 0) << file;
  return found.st_mode;
}

// While it lives, this process has the rights of another user, if it may choose.
class LesserUser {
 public:
  LesserUser() : before_(geteuid()) { EXPECT_EQ(seteuid(before_ == 0 ? 65534 : before_), 0); }
  LesserUser(const LesserUser&) = delete;
  LesserUser& operator=(const LesserUser&) = delete;
  ~LesserUser() { EXPECT_EQ(seteuid(before_), 0); }

 private:
  uid_t before_;
};

// Like /dev/null, but nobody misses it if it is destroyed. Who may not make one may not destroy
// that one either.
void make_device(const fs::path& file) {
  if (mknod(file.c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0)
    fs::create_symlink("/dev/null", file);
}

// Of a process that has ended.
pid_t dead_process() {
  const pid_t child = fork();
  if (child == 0) _exit(0);
  EXPECT_EQ(waitpid(child, nullptr, 0), child);
  return child;
}

TEST_F(AtomicFile, ALinkStaysAndItsTargetIsReplaced) {
  fs::create_directories(folder_ / "a");
  write_atomically(folder_ / "a" / "target", "old");
  fs::create_symlink("a/target", folder_ / "link");
  fs::create_symlink(folder_ / "link", folder_ / "chain");
  require_writable(folder_ / "chain");
  write_atomically(folder_ / "chain", "new");
  EXPECT_EQ(read_file(folder_ / "a" / "target"), "new");
  EXPECT_EQ(fs::read_symlink(folder_ / "link"), "a/target");
  EXPECT_TRUE(fs::is_symlink(folder_ / "chain"));

  fs::create_symlink("a/later", folder_ / "dangling");
  require_writable(folder_ / "dangling");
  EXPECT_FALSE(file_exists(folder_ / "dangling"));
  write_atomically(folder_ / "dangling", "first");
  EXPECT_EQ(read_file(folder_ / "a" / "later"), "first");
  EXPECT_TRUE(fs::is_symlink(folder_ / "dangling"));
}

TEST_F(AtomicFile, ALoopOfLinksIsAnError) {
  const fs::path loop = folder_ / "loop";
  fs::create_symlink("loop", loop);
  for (const std::string& message :
       {message_of([&] { write_atomically(loop, "x"); }), message_of([&] { read_file(loop); }),
        message_of([&] { file_exists(loop); }), message_of([&] { require_writable(loop); })})
    EXPECT_THAT(message, AllOf(HasSubstr(loop.string()), HasSubstr("symbolic links")));
}

TEST_F(AtomicFile, WhatIsNoRegularFileStaysWhatItIs) {
  const fs::path pipe = folder_ / "pipe", socket_file = folder_ / "socket";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // Its name has no room for a long path.
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  std::strncpy(address.sun_path, "socket", sizeof address.sun_path - 1);
  ASSERT_EQ(bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  fs::current_path(before);
  make_device(folder_ / "device");
  fs::create_symlink("device", folder_ / "link");
  for (const auto& [file, kind] : {std::pair{folder_ / "device", "a device"},
                                   {folder_ / "link", "a device"},
                                   {pipe, "a pipe"},
                                   {socket_file, "a socket"}}) {
    const mode_t mode = mode_of(file);
    EXPECT_THAT(message_of([&, file = file] { write_atomically(file, "x"); }),
                AllOf(HasSubstr("cannot write " + file.string()), HasSubstr(kind)));
    EXPECT_THAT(message_of([&, file = file] { require_writable(file); }), HasSubstr(kind));
    EXPECT_EQ(mode_of(file), mode) << file;
  }
  close(descriptor);
  EXPECT_THAT(files(), UnorderedElementsAre("pipe", "socket", "device", "link"));
}

TEST_F(AtomicFile, PermissionsStayThoseOfTheOldFile) {
  const fs::path file = folder_ / "file";
  const mode_t umask_before = umask(022);
  write_atomically(file, "new");
  EXPECT_EQ(mode_of(file) & 07777, 0644u);
  for (const mode_t mode : {0600u, 0640u, 0666u, 0755u}) {
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    write_atomically(file, "again");
    EXPECT_EQ(mode_of(file) & 07777, mode);
    write_atomically(file, "again", Readers::owner_only);
    EXPECT_EQ(mode_of(file) & 07777, mode);
  }
  write_atomically(folder_ / "private", "new", Readers::owner_only);
  EXPECT_EQ(mode_of(folder_ / "private") & 07777, 0600u);
  umask(umask_before);
}

// Skipped where it cannot be set up: no one but root may give a file to another owner. CI runs as
// root.
TEST_F(AtomicFile, TheOwnerStaysTheOneOfTheOldFile) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const fs::path file = folder_ / "file";
  write_atomically(file, "old");
  ASSERT_EQ(chown(file.c_str(), 65534, 65533), 0);
  write_atomically(file, "new");
  struct stat found {};
  ASSERT_EQ(stat(file.c_str(), &found), 0);
  EXPECT_EQ(found.st_uid, 65534u);
  EXPECT_EQ(found.st_gid, 65533u);
}

TEST_F(AtomicFile, AFileWithoutWritePermissionIsNotReplaced) {
  const fs::path file = folder_ / "file";
  write_atomically(file, "old");
  fs::permissions(folder_, fs::perms::all);
  fs::permissions(file, fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read);
  const LesserUser user;
  EXPECT_THAT(message_of([&] { require_writable(file); }), HasSubstr("Permission denied"));
  EXPECT_THAT(message_of([&] { write_atomically(file, "new"); }), HasSubstr("Permission denied"));
  EXPECT_EQ(read_file(file), "old");
  write_atomically(folder_ / "another", "new");
}

TEST_F(AtomicFile, AFileOfTheInputIsRefusedByWhateverName) {
  const fs::path data = folder_ / "data", other = folder_ / "other";
  write_atomically(data, "data");
  write_atomically(other, "other");
  fs::create_symlink("data", folder_ / "link");
  fs::create_hard_link(data, folder_ / "hard");
  for (const fs::path& file : {data, folder_ / "." / "data", folder_ / "link", folder_ / "hard"}) {
    EXPECT_THAT(message_of([&] {
                  require_writable(file, {other, data});
                }),
                AllOf(HasSubstr("cannot write " + file.string()),
                      HasSubstr("this command reads it, as " + data.string())));
    // The name that the command reads it by may be the link.
    EXPECT_THAT(message_of([&] { require_writable(data, {file}); }), HasSubstr("reads it"));
  }
  require_writable(other, {data});
  require_writable(folder_ / "new", {data, folder_ / "missing"});
  EXPECT_THAT(message_of([&] { require_writable(folder_ / "new", {folder_ / "." / "new"}); }),
              HasSubstr("reads it"));
}

TEST_F(AtomicFile, WhatStandardOutputGoesToIsRefused) {
  const fs::path file = folder_ / "shown";
  write_atomically(file, "");
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    const int before = dup(descriptor), opened = open(file.c_str(), O_WRONLY);
    ASSERT_EQ(dup2(opened, descriptor), descriptor);
    const std::string direct = message_of([&] { write_atomically(file, "x"); });
    const std::string by_link = message_of([&] {
      write_atomically(descriptor == STDOUT_FILENO ? "/dev/stdout" : "/dev/stderr", "x");
    });
    ASSERT_EQ(dup2(before, descriptor), descriptor);
    close(before);
    close(opened);
    EXPECT_THAT(direct, HasSubstr("goes there"));
    EXPECT_THAT(by_link, HasSubstr("goes there"));
  }
}

TEST_F(AtomicFile, AFolderThatTakesNoFilesIsRefusedBeforehand) {
  EXPECT_THAT(message_of([&] { require_writable(folder_ / "no" / "file"); }),
              HasSubstr("No such file or directory"));
  fs::permissions(folder_, fs::perms::others_read | fs::perms::others_exec);
  const LesserUser user;
  EXPECT_THAT(message_of([&] { require_writable(folder_ / "file"); }),
              HasSubstr("Permission denied"));
}

TEST_F(AtomicFile, WhatKilledRunsHaveLeftIsRemoved) {
  const std::string dead = std::to_string(dead_process()), alive = std::to_string(getpid());
  const auto make = [&](const std::string& name) { std::ofstream(folder_ / name) << "half"; };
  make("report.json." + dead + ".0.tmp");
  make("0123.txt." + dead + ".12.tmp");
  make("hu.1a.svg." + dead + ".0.tmp");
  make("hu.1a.gnuplot." + dead + ".0.tmp");
  make("report.json." + alive + ".0.tmp");  // another run is at it
  make("notes." + dead + ".0.tmp");         // not a file that this program writes
  make("report.json." + dead + ".1.tmp.bak");
  make("locked.json." + dead + ".0.tmp");  // written to in another container
  fs::create_directories(folder_ / ("folder.json." + dead + ".0.tmp"));
  const int locked = open((folder_ / ("locked.json." + dead + ".0.tmp")).c_str(), O_WRONLY);
  ASSERT_EQ(flock(locked, LOCK_EX), 0);
  prepare_folder(folder_);
  EXPECT_THAT(files(), UnorderedElementsAre(
                           "report.json." + alive + ".0.tmp", "notes." + dead + ".0.tmp",
                           "report.json." + dead + ".1.tmp.bak", "locked.json." + dead + ".0.tmp",
                           "folder.json." + dead + ".0.tmp"));
  close(locked);
}

TEST_F(AtomicFile, WhatKilledRunsHaveLeftOfThatNameIsRemovedInAnyFolder) {
  const std::string dead = std::to_string(dead_process());
  const auto make = [&](const std::string& name) { std::ofstream(folder_ / name) << "half"; };
  make("w+[1]." + dead + ".0.tmp");
  make("x." + dead + ".0.tmp");
  fs::create_symlink("w+[1]", folder_ / "link");
  require_writable(folder_ / "link");
  EXPECT_THAT(files(), UnorderedElementsAre("link", "x." + dead + ".0.tmp"));
}

}  // namespace
}  // namespace dpverify
