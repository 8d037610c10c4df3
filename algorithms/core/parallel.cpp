#include "algorithms/core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace dpverify {

void parallel_for(Index count, int threads, const std::function<void(Index)>& task) {
  std::vector<std::exception_ptr> failures(static_cast<std::size_t>(count));
  std::atomic<Index> next{0};
  const auto work = [&] {
    for (Index i = next++; i < count; i = next++) {
      try {
        task(i);
      } catch (...) {
        failures[static_cast<std::size_t>(i)] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    // At the system's limit on threads, those that have started do all of it.
    for (Index extra = std::min<Index>(threads, count) - 1; extra > 0; --extra) {
      try {
        pool.emplace_back(work);
      } catch (const std::system_error&) {
        break;
      }
    }
    work();
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace dpverify
