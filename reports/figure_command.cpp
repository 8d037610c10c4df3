#include "reports/figure_command.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>
#include <stdexcept>
#include <utility>

#include "bench/figures/panel.hpp"
#include "bench/figures/run_figure.hpp"
#include "reports/atomic_file.hpp"
#include "reports/checkpoint_files.hpp"
#include "reports/envelope.hpp"
#include "reports/figure_json.hpp"
#include "reports/figure_plot.hpp"
#include "reports/figure_text.hpp"
#include "reports/gnuplot.hpp"
#include "reports/layout.hpp"
#include "reports/pictures.hpp"
#include "reports/program.hpp"
#include "reports/progress_line.hpp"
#include "reports/rates_command.hpp"
#include "reports/report_file.hpp"

namespace dpverify {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::array figure_endings{".json", ".gnuplot", ".svg", "-noise.gnuplot", "-noise.svg"};

// The pictures of the report in the folder. One that cannot be read, of an older version perhaps,
// has none.
std::vector<NamedPicture> rates_in(const std::filesystem::path& folder) {
  const std::filesystem::path report = folder / report_name;
  try {
    if (file_exists(report)) return rate_pictures(read_file(report)).all;
  } catch (const std::invalid_argument&) {
    return {};
  }
  return {};
}

// Files of that name may be anyone's, of the figure in the paper perhaps. Only those of an earlier
// run are replaced: its JSON says which they are. Throws FileError.
void require_figure_files(const std::filesystem::path& start) {
  const auto file = [&](const std::string& ending) {
    return std::filesystem::path(start.string() + ending);
  };
  const std::filesystem::path json = file(".json");
  const bool earlier = file_exists(json) && !figures::figure_title(read_file(json)).empty();
  for (const char* ending : figure_endings) {
    require_writable(file(ending));
    if (!earlier && file_exists(file(ending)) && !read_file(file(ending)).empty())
      throw FileError(
          fmt::format("cannot write {}: it is there, and {} is no earlier result of "
                      "rates --figure",
                      file(ending).string(), json.string()));
  }
}

}  // namespace

int figure_command(const FigureArguments& arguments, const std::vector<figures::Panel>& panels,
                   const Console& console) {
  if (arguments.id == "list") {
    std::string text;
    for (const figures::Panel& panel : panels)
      text += fmt::format("{}\t{}; {}\n", panel.id, panel.title, figures::source_in_words(panel));
    console.out << laid_out(text, console.columns);
    return as_expected_code;
  }
  const figures::Panel& panel = figures::find_panel(panels, arguments.id);
  const auto file = [&](const std::string& ending) { return arguments.out / (panel.id + ending); };
  prepare_folder(arguments.out);
  require_figure_files(arguments.out / panel.id);
  prepare_pictures_page(arguments.out);
  figures::FigureOptions options{.seed = arguments.seed,
                                 .threads = arguments.threads,
                                 .trials = arguments.trials,
                                 .records_divisor = arguments.records_divisor};
  ProgressLine progress(console);
  options.progress = [&progress, start = Clock::now()](Index done, Index total) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    progress.show(fmt::format("{} of {} runs, about {:.0f} s left", done, total,
                              seconds * static_cast<double>(total - done) /
                                  static_cast<double>(std::max<Index>(1, done))));
  };
  const std::filesystem::path kept = arguments.out / "figure-trials";
  CheckpointFiles trials(kept, program_fingerprint(), complaints_on(console));
  options.checkpoints = trials.store();
  if (arguments.shard.count > 1) {
    const Index count = run_part(panel, options, arguments.shard.number, arguments.shard.count);
    progress.clear();
    console.out << laid_out(
        kept_in_words(arguments.shard, plural(static_cast<std::size_t>(count), "trial"), kept),
        console.columns);
    return as_expected_code;
  }
  const figures::Figure figure = run_figure(panel, options);
  progress.clear();
  // Files first: who reads the output may stop reading.
  CheckContext context;
  context.seed = arguments.seed;
  write_atomically(file(".json"), figure_json(describe(context), figure));
  const std::string& commit = program().git.commit;
  std::string pictures, failure;
  for (const auto& [suffix, script] : {std::pair{"", figure_plot(figure, commit)},
                                       std::pair{"-noise", noise_plot(figure, commit)}}) {
    write_atomically(file(std::string(suffix) + ".gnuplot"), script);
    const Picture picture = run_gnuplot(script);
    if (picture.svg.empty()) {
      failure = picture.failure;
      continue;
    }
    write_atomically(file(std::string(suffix) + ".svg"), picture.svg);
    pictures += file(std::string(suffix) + ".svg").string() + "\n";
  }
  trials.remove();
  if (const auto page = write_pictures_page(arguments.out, rates_in(arguments.out)); !page.empty())
    pictures += page.string() + "\n";
  console.out << laid_out(figure_text(figure) + "\n" + pictures, console.columns);
  if (!failure.empty()) console.err << program().name << ": no pictures: " << failure << std::endl;
  return as_expected_code;
}

}  // namespace dpverify
