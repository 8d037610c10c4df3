// What a call says when it refuses an argument, for tests: another check behind the one that is
// meant may refuse too.
#pragma once

#include <stdexcept>
#include <string>

namespace dpverify {

// Empty if the call does not throw std::invalid_argument.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
  } catch (const std::invalid_argument& complaint) {
    return complaint.what();
  }
  return "";
}

}  // namespace dpverify
