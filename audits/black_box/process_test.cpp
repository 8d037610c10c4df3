#include "audits/black_box/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using enum ProcessEnd::Kind;

ProcessRun run_script(const std::string& script, const ProcessLimits& limits = {}) {
  return run_process({"sh", "-c", script}, limits);
}

// A file for the process number of a grandchild; whether that process is gone, within five seconds.
class Left {
 public:
  Left() { std::filesystem::remove(file_); }
  ~Left() { std::filesystem::remove(file_); }
  const std::string& file() const { return file_; }
  pid_t process() const {
    pid_t number = 0;
    std::ifstream(file_) >> number;
    return number;
  }
  bool is_gone() const {
    if (process() <= 0) return false;
    for (int k = 0; k < 500 && kill(process(), 0) == 0; ++k)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return kill(process(), 0) != 0;
  }

 private:
  std::string file_ = ::testing::TempDir() + "process_test_" + std::to_string(getpid());
};

TEST(Process, GivesWhatAProgramPrintsAndHowItEnds) {
  const ProcessRun good = run_process({"printf", "%s|", "a b", "", "$HOME", "*"}, {});
  EXPECT_TRUE(good.end.is_success());
  EXPECT_EQ(good.printed, "a b||$HOME|*|");  // no shell
  const ProcessRun failed = run_script("echo 1; echo first >&2; echo 'no such column' >&2; exit 3");
  EXPECT_EQ(failed.end.kind, exited);
  EXPECT_EQ(failed.end.code, 3);
  EXPECT_EQ(failed.printed, "1\n");
  EXPECT_EQ(failed.complaint, "no such column");
  const ProcessRun killed = run_script("kill -SEGV $$");
  EXPECT_EQ(killed.end.kind, signalled);
  EXPECT_EQ(killed.end.code, SIGSEGV);
  EXPECT_THAT(in_words(killed.end, {}), HasSubstr("killed by signal 11"));
  EXPECT_EQ(run_script("cat").printed, "");  // standard input is empty
}

TEST(Process, SaysWhatCannotBeStarted) {
  EXPECT_THROW(run_process({}, {}), std::invalid_argument);
  EXPECT_THROW(run_process({""}, {}), std::invalid_argument);
  EXPECT_THROW(run_process({"no-such-program-anywhere"}, {}), std::invalid_argument);
  EXPECT_THROW(run_process({"./no/such/program"}, {}), std::invalid_argument);
  EXPECT_THROW(run_process({"/"}, {}), std::invalid_argument);  // a folder
}

TEST(Process, StopsAtItsLimits) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(run_script("echo 1; sleep 100", {.seconds = 0.3}).end.kind, time);
  EXPECT_EQ(run_script("exec >&- 2>&-; sleep 100", {.seconds = 0.3}).end.kind, time);
  EXPECT_EQ(run_script("trap '' TERM INT HUP; while :; do :; done", {.seconds = 0.3}).end.kind,
            time);
  const ProcessRun much = run_process({"yes"}, {.printed = 1 << 20});
  EXPECT_EQ(much.end.kind, printed);
  EXPECT_LE(much.printed.size(), (1U << 20) + (1U << 16));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  const ProcessRun enough = run_process(
      {"yes"}, {}, [](std::string_view printed) { return std::ranges::count(printed, '\n') < 3; });
  EXPECT_EQ(enough.end.kind, stopped);
}

#ifndef __SANITIZE_ADDRESS__
TEST(Process, LimitsTheMemory) {
  const std::string hungry = "x=$(head -c 400000000 /dev/zero | tr '\\0' x); echo ${#x}";
  EXPECT_FALSE(run_script(hungry, {.memory = std::size_t{100} << 20}).end.is_success());
}
#endif

TEST(Process, LeavesNothingRunning) {
  for (const char* end : {"exit 0", "sleep 100", "kill -9 $$"}) {
    for (const char* way : {"", "setsid "}) {  // in the program's process group, and out of it
      const Left left;
      const std::string script = std::string(way) + "sh -c 'echo $$ >" + left.file() +
                                 "; exec sleep 1000' & " + "while [ ! -s " + left.file() +
                                 " ]; do sleep 0.01; done; " + end;
      run_script(script, {.seconds = 2});
      EXPECT_TRUE(left.is_gone()) << way << end;
    }
  }
}

// This program, forked, dies as one does that is killed, while it waits for the other.
TEST(Process, LeavesNothingRunningWhenThisProgramIsKilled) {
  const Left left;
  const pid_t victim = fork();
  if (victim == 0) {
    run_script("setsid sh -c 'echo $$ >" + left.file() + "; exec sleep 1000' & sleep 1000");
    _exit(0);
  }
  for (int k = 0; k < 500 && left.process() <= 0; ++k)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  ASSERT_EQ(kill(victim, SIGKILL), 0);
  ASSERT_EQ(waitpid(victim, nullptr, 0), victim);
  EXPECT_TRUE(left.is_gone());
}

TEST(Process, RunsInSeveralThreadsAtOnce) {
  std::array<std::string, 8> printed;
  {
    std::vector<std::jthread> threads;
    for (std::size_t k = 0; k < printed.size(); ++k)
      threads.emplace_back([&, k] {
        for (int round = 0; round < 5; ++round)
          printed[k] += run_script("sleep 0.02; echo " + std::to_string(k)).printed;
      });
  }
  for (std::size_t k = 0; k < printed.size(); ++k) {
    std::string wanted;
    for (int round = 0; round < 5; ++round) wanted += std::to_string(k) + "\n";
    EXPECT_EQ(printed[k], wanted);
  }
}

}  // namespace
}  // namespace dpverify
