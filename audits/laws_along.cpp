#include "audits/laws_along.hpp"

namespace dpverify {
namespace {

struct Diverged {};

class Following final : public Releases {
 public:
  Following(const Transcript& transcript, std::vector<Law>& laws)
      : transcript_(transcript), laws_(laws) {}

 private:
  Outcome decide(const Law& law) override {
    const std::size_t k = laws_.size();
    if (k >= transcript_.entries.size() || !same_shape(law, transcript_.entries[k].law))
      throw Diverged{};
    laws_.push_back(law);
    return transcript_.entries[k].outcome;
  }
  const Transcript& transcript_;
  std::vector<Law>& laws_;
};

}  // namespace

LawsAlong laws_along(const Mechanism& mechanism, const Dataset& data,
                     const Transcript& transcript) {
  LawsAlong out;
  Following releases(transcript, out.laws);
  try {
    mechanism(data, releases);
  } catch (const Diverged&) {
    out.diverged = true;
  }
  return out;
}

}  // namespace dpverify
