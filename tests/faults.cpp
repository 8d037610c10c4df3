// Does what a sanitizer must end a program for.
#include <cstring>
#include <limits>
#include <string_view>
#include <thread>
#include <vector>

int main(int count, char** arguments) {
  const std::string_view fault = count > 1 ? arguments[1] : "";
  if (fault == "none") return 0;
  volatile int large = std::numeric_limits<int>::max();
  if (fault == "overflow") {
    large = large + 1;
    return 0;
  }
  if (fault == "conversion") {
    volatile double huge = 1e300;
    large = static_cast<int>(huge);
    return 0;
  }
  if (fault == "null") {
    int* volatile nothing = nullptr;
    return *nothing;
  }
  if (fault == "outside") {  // of an array on the stack
    volatile char array[8] = {};
    volatile std::size_t beyond = sizeof array;
    const volatile char* first = array;
    return first[beyond] & 0;
  }
  if (fault == "race") {
    int shared = 0;
    std::thread other([&shared] { ++shared; });
    ++shared;
    other.join();
    return 0;
  }
  std::vector<char> block(8);
  volatile char* end = block.data() + block.size();
  if (fault == "address") return *end & 0;
  if (fault == "assertion") return block[static_cast<std::size_t>(large)] & 0;
  return 2;
}
