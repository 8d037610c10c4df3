// `./dpverify bench`: how long the kernels take, by Google Benchmark, after their answers are
// checked.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "algorithms/core/types.hpp"
#include "bench/speed/kernels.hpp"
#include "reports/program.hpp"

namespace dpverify::speed {
namespace {

using nlohmann::json;

struct Arguments {
  std::vector<std::string> only;
  std::string out, compared, peers;
  bool quick = false;
};

// Seconds by kernel and size.
using Times = std::map<std::string, std::map<std::int64_t, double>>;

// The least processor time of the repetitions: what other work on the machine adds is no part of
// it.
class LeastTimes final : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) throw std::runtime_error(run.error_message);
      if (run.run_type != Run::RT_Iteration) continue;
      const auto slash = run.run_name.function_name.rfind('/');
      const std::string kernel = run.run_name.function_name.substr(0, slash);
      const std::int64_t size = std::stoll(run.run_name.function_name.substr(slash + 1));
      const double seconds = run.cpu_accumulated_time / static_cast<double>(run.iterations);
      const auto [at, first] = times[kernel].emplace(size, seconds);
      if (!first) at->second = std::min(at->second, seconds);
      if (first) std::cerr << "dpverify: " << kernel << " of size " << size << "\n";
    }
  }
  Times times;
};

void measure(benchmark::State& state, const Kernel& kernel, std::int64_t size) {
  const Work work = kernel.make(size);
  for (auto _ : state) benchmark::DoNotOptimize(work());
}

// Seconds to read a byte of 64 MiB, in order.
double seconds_a_byte() {
  const VectorXd values = VectorXd::Constant(8 << 20, 1.0);
  double least = INFINITY;
  for (int k = 0; k < 10; ++k) {
    const auto start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(values.sum());
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    least = std::min(least, taken.count());
  }
  return least / (8.0 * static_cast<double>(values.size()));
}

// The slope of log time over log size.
double growth(const std::map<std::int64_t, double>& times) {
  double x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [size, seconds] : times) {
    const double u = std::log(static_cast<double>(size)), v = std::log(seconds);
    x += u, y += v, xx += u * u, xy += u * v;
  }
  const auto n = static_cast<double>(times.size());
  return (n * xy - x * y) / (n * xx - x * x);
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "a processor that does not say its name";
}

Times read_times(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw std::invalid_argument(path + ": cannot be read");
  Times out;
  try {
    const json read = json::parse(in);
    for (const json& one : read.at("kernels"))
      for (const json& at : one.at("times"))
        out[one.at("name")][at.at("size").get<std::int64_t>()] = at.at("seconds").get<double>();
  } catch (const json::exception&) {
    throw std::invalid_argument(path + ": not the JSON of `dpverify bench --json`");
  }
  return out;
}

json as_json(const Times& times, double byte) {
  json out{{"version", program().version},
           {"commit", program().git.commit},
           {"processor", processor()},
           {"seconds_a_byte", byte},
           {"kernels", json::array()}};
  for (const auto& [name, at] : times) {
    json one{{"name", name}, {"growth", growth(at)}, {"times", json::array()}};
    for (const auto& [size, seconds] : at)
      one["times"].push_back({{"size", size}, {"seconds", seconds}});
    out["kernels"].push_back(std::move(one));
  }
  return out;
}

std::string ratio_of(const Times& others, const std::string& kernel, std::int64_t size,
                     double seconds) {
  const auto found = others.find(kernel);
  if (found == others.end() || !found->second.contains(size)) return "";
  return fmt::format("{:.2f}", seconds / found->second.at(size));
}

std::string page(const Times& times, double byte, const Times& peers, const Times& old,
                 const std::string& compared) {
  std::string out = fmt::format(
      "# Speed\n\n"
      "Written by `./dpverify bench`, at commit {}, on one core of {}. A time is processor time, "
      "the "
      "least of three\nrepetitions by Google Benchmark; before a kernel is timed its answer is "
      "checked against a slow twin. \"Grows\": the slope of\nlog time over log size. \"Of its "
      "floor\": how many times what reading its input from memory takes ({:.2f} ns a byte), where\n"
      "that is what bounds it. \"Of numpy\": beside the same in numpy, on one thread of the same "
      "machine; below 1 is faster.\n\n"
      "```sh\n"
      "./dpverify bench                                     # this page; takes minutes\n"
      "./dpverify bench --only peeling --quick              # one kernel, its smallest size; "
      "minutes if it is to be built\n"
      "./dpverify bench --json new.json --compare old.json  # beside an earlier run; minutes\n"
      "python3 bench/speed/peers.py >peers.json             # needs numpy\n"
      "./dpverify bench --peers peers.json                  # beside numpy; minutes\n"
      "```\n\n",
      program().git.commit.substr(0, 12), processor(), byte * 1e9);
  out += "| kernel | size | time | ns an item | grows | of its floor | of numpy |";
  if (!compared.empty()) out += " of " + compared + " |";
  out += "\n|---|---|---|---|---|---|---|";
  if (!compared.empty()) out += "---|";
  out += "\n";
  for (const Kernel& kernel : kernels()) {
    const auto measured = times.find(kernel.name);
    if (measured == times.end()) continue;
    for (const auto& [size, seconds] : measured->second) {
      const bool first = size == measured->second.begin()->first;
      const double item = seconds / static_cast<double>(size);
      out +=
          fmt::format("| {} | {} {} | {:.3g} ms | {:.3g} | {} | {} | {} |",
                      first ? kernel.words : "", size, kernel.items, seconds * 1e3, item * 1e9,
                      first && measured->second.size() > 1
                          ? fmt::format("size^{:.2f}", growth(measured->second))
                          : "",
                      kernel.bytes > 0 ? fmt::format("{:.1f}", item / (kernel.bytes * byte)) : "",
                      ratio_of(peers, kernel.name, size, seconds));
      if (!compared.empty()) out += " " + ratio_of(old, kernel.name, size, seconds) + " |";
      out += "\n";
    }
  }
  return out;
}

// The kernels with one of these names, or all. Throws std::invalid_argument for an unknown name.
std::vector<const Kernel*> chosen(const std::vector<std::string>& names) {
  std::vector<const Kernel*> out;
  std::string known;
  for (const Kernel& kernel : kernels()) {
    if (!known.empty()) known += ", ";
    known += kernel.name;
    if (names.empty() || std::ranges::find(names, kernel.name) != names.end())
      out.push_back(&kernel);
  }
  for (const std::string& name : names)
    if (std::ranges::none_of(out, [&](const Kernel* kernel) { return kernel->name == name; }))
      throw std::invalid_argument(fmt::format("no kernel '{}'; there are {}", name, known));
  return out;
}

void check_answers(const std::vector<const Kernel*>& selected) {
  for (const Kernel* kernel : selected)
    if (const double difference = kernel->difference(); !(difference <= kernel->allowed))
      throw std::runtime_error(
          fmt::format("{} differs from its slow twin by {:.3g}, allowed {:.3g}", kernel->name,
                      difference, kernel->allowed));
}

int bench(const Arguments& arguments) {
  const std::vector<const Kernel*> selected = chosen(arguments.only);
  const Times old = arguments.compared.empty() ? Times{} : read_times(arguments.compared);
  const Times peers = arguments.peers.empty() ? Times{} : read_times(arguments.peers);
  std::ofstream file;
  if (!arguments.out.empty()) {
    if (std::ifstream(arguments.out).good())
      throw std::invalid_argument(arguments.out + ": is there already, and is not overwritten");
    file.open(arguments.out);
    if (!file) throw std::invalid_argument(arguments.out + ": cannot be written");
  }
  check_answers(selected);
  for (const Kernel* kernel : selected)
    for (const std::int64_t size : kernel->sizes) {
      if (arguments.quick && size != kernel->sizes.front()) continue;
      benchmark::RegisterBenchmark(
          fmt::format("{}/{}", kernel->name, size).c_str(),
          [kernel, size](benchmark::State& state) { measure(state, *kernel, size); })
          ->Repetitions(arguments.quick ? 1 : 3)
          ->MinTime(arguments.quick ? 1e-4 : 0.2);
    }
  const double byte = seconds_a_byte();
  LeastTimes reporter;
  benchmark::RunSpecifiedBenchmarks(&reporter);
  if (file.is_open()) file << as_json(reporter.times, byte).dump(1) << "\n";
  std::cout << page(reporter.times, byte, peers, old, arguments.compared);
  return std::cout.flush() ? 0 : 2;
}

}  // namespace
}  // namespace dpverify::speed

int main(int argc, char** argv) {
  CLI::App app{"How long the kernels take: a table, as Markdown.", "dpverify bench"};
  dpverify::speed::Arguments arguments;
  app.add_option("--only", arguments.only, "Only these kernels, by name");
  app.add_option("--json", arguments.out, "Write the times to this new file too");
  app.add_option("--compare", arguments.compared, "Times of an earlier --json, to stand beside");
  app.add_option("--peers", arguments.peers, "Times of bench/speed/peers.py, to stand beside");
  app.add_flag("--quick", arguments.quick, "The smallest sizes alone, once: does everything run?");
  try {
    app.parse(argc, argv);
    return dpverify::speed::bench(arguments);
  } catch (const CLI::CallForHelp&) {
    std::cout << app.help();
    return 0;
  } catch (const CLI::ParseError& error) {
    std::cerr << "dpverify: " << error.what() << "\n";
    return 2;
  } catch (const std::invalid_argument& error) {
    std::cerr << "dpverify: " << error.what() << "\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "dpverify: " << error.what() << "\n";
    return 1;
  }
}
