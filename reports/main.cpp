#include "reports/catalogue.hpp"
#include "reports/registry.hpp"

int main(int argc, char** argv) {
  dpverify::same_on_every_processor(argv);
  return dpverify::run_program(argc, argv, dpverify::own_catalogue());
}
