#include "algorithms/core/parallel.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace dpverify {
namespace {

TEST(Parallel, EachTaskRunsOnceForAnyNumberOfThreads) {
  for (const int threads : {-1, 0, 1, 2, 7, 64}) {
    for (const Index count : {0, 1, 5, 100}) {
      std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
      parallel_for(count, threads, [&](Index i) { ++calls[static_cast<std::size_t>(i)]; });
      for (const auto& called : calls) EXPECT_EQ(called, 1);
    }
  }
}

TEST(Parallel, AsManyTasksAtATimeAsThreadsAndNoMore) {
  for (const int threads : {1, 2, 3}) {
    std::atomic<int> at_once{0}, most{0};
    parallel_for(24, threads, [&](Index) {
      const int now = ++at_once;
      for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) continue;
      for (int k = 0; k < 200 && most < threads; ++k)  // the others' time to start
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --at_once;
    });
    EXPECT_EQ(most, threads);
  }
}

TEST(Parallel, RethrowsTheFailureOfTheSmallestIndexAfterAllHaveEnded) {
  for (const int threads : {1, 2, 8}) {
    for (int repeat = 0; repeat < 50; ++repeat) {
      std::atomic<int> ended{0};
      try {
        parallel_for(40, threads, [&](Index i) {
          ++ended;
          if (i >= 7 && i % 2 == 1) throw std::runtime_error(std::to_string(i));
        });
        FAIL() << "no exception";
      } catch (const std::runtime_error& error) {
        EXPECT_STREQ(error.what(), "7");
      }
      EXPECT_EQ(ended, 40);
    }
  }
}

}  // namespace
}  // namespace dpverify
