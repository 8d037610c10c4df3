// main() of dpverify::main: the command line over the registry that the program defines.
#include "reports/registry.hpp"

int main(int argc, char** argv) {
  using namespace dpverify;
  same_on_every_processor(argv);
  static const Registry registered = registry();
  return run_program(
      argc, argv,
      {.algorithms = []() -> const std::vector<Algorithm>& { return registered.algorithms; },
       .claims = []() -> const std::vector<Claim>& {
         static const std::vector<Claim> all = claims_of(registered);
         return all;
       }});
}
