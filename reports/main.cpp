#include "reports/catalogue.hpp"
#include "reports/registry.hpp"

int main(int argc, char** argv) {
  return dpverify::run_program(argc, argv, dpverify::own_catalogue());
}
