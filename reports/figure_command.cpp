#include "reports/figure_command.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "reports/atomic_file.hpp"
#include "reports/rate_plot.hpp"

namespace dpverify {

int figure_command(const FigureArguments& arguments, const Console& console) {
  if (arguments.id == "list") {
    for (const figures::Panel& panel : figures::panels())
      console.out << fmt::format("{:<7}  {}; {}\n", panel.id, panel.title, panel.source);
    return as_expected_code;
  }
  const figures::Panel& panel = figures::panel(arguments.id);
  prepare_folder(arguments.out);
  figures::FigureOptions options{.seed = arguments.seed,
                                 .threads = arguments.threads,
                                 .trials = arguments.trials,
                                 .records_divisor = arguments.records_divisor};
  if (console.err_is_terminal)
    options.progress = [&err = console.err](Index done, Index total) {
      err << fmt::format("\r\033[K{} of {} runs", done, total) << (done == total ? "\r\033[K" : "")
          << std::flush;
    };
  const figures::Figure figure = run_figure(panel, options);
  console.out << figure_text(figure);
  const auto file = [&](const std::string& ending) { return arguments.out / (figure.id + ending); };
  write_atomically(file(".json"), figure_json(figure));
  std::string pictures;
  bool drawn = true;
  for (const auto& [suffix, script] :
       {std::pair{"", figure_plot(figure)}, std::pair{"-noise", noise_plot(figure)}}) {
    write_atomically(file(std::string(suffix) + ".gnuplot"), script);
    const std::string picture = run_gnuplot(script);
    drawn &= !picture.empty();
    if (picture.empty()) continue;
    write_atomically(file(std::string(suffix) + ".svg"), picture);
    pictures += file(std::string(suffix) + ".svg").string() + "\n";
  }
  console.out << "\n" << pictures;
  if (!drawn)
    console.err << "dpverify: no pictures: gnuplot is missing or fails (Debian: gnuplot-nox)"
                << std::endl;
  return as_expected_code;
}

}  // namespace dpverify
