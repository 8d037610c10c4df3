#include "reports/figure_command.hpp"

#include <fmt/format.h>

#include <ostream>
#include <utility>

#include "bench/figures/panel.hpp"
#include "bench/figures/run_figure.hpp"
#include "reports/atomic_file.hpp"
#include "reports/figure_json.hpp"
#include "reports/figure_plot.hpp"
#include "reports/figure_text.hpp"
#include "reports/gnuplot.hpp"
#include "reports/program.hpp"

namespace dpverify {

int figure_command(const FigureArguments& arguments, const std::vector<figures::Panel>& panels,
                   const Console& console) {
  if (arguments.id == "list") {
    for (const figures::Panel& panel : panels)
      console.out << fmt::format("{:<7}  {}; {}\n", panel.id, panel.title, panel.source);
    return as_expected_code;
  }
  const figures::Panel& panel = figures::find_panel(panels, arguments.id);
  const auto file = [&](const std::string& ending) { return arguments.out / (panel.id + ending); };
  prepare_folder(arguments.out);
  for (const char* ending : {".json", ".gnuplot", ".svg", "-noise.gnuplot", "-noise.svg"})
    require_writable(file(ending));
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
  // Files first: who reads the output may stop reading.
  CheckContext context;
  context.seed = arguments.seed;
  write_atomically(file(".json"), figure_json(describe(context), figure));
  std::string pictures, failure;
  for (const auto& [suffix, script] :
       {std::pair{"", figure_plot(figure)}, std::pair{"-noise", noise_plot(figure)}}) {
    write_atomically(file(std::string(suffix) + ".gnuplot"), script);
    const Picture picture = run_gnuplot(script);
    if (picture.svg.empty()) {
      failure = picture.failure;
      continue;
    }
    write_atomically(file(std::string(suffix) + ".svg"), picture.svg);
    pictures += file(std::string(suffix) + ".svg").string() + "\n";
  }
  console.out << figure_text(figure) << "\n" << pictures;
  if (!failure.empty()) console.err << program().name << ": no pictures: " << failure << std::endl;
  return as_expected_code;
}

}  // namespace dpverify
