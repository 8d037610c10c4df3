#include "reports/figure_command.hpp"

#include <fmt/format.h>

#include <array>
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
#include "reports/json_text.hpp"
#include "reports/layout.hpp"
#include "reports/program.hpp"
#include "reports/rates_command.hpp"

namespace dpverify {
namespace {

constexpr std::array figure_endings{".json", ".gnuplot", ".svg", "-noise.gnuplot", "-noise.svg"};

bool is_figure(const std::string& text) {
  try {
    const Json json = parse_json(text);
    return json.is_object() && json.value("kind", Json()) == name(DocumentKind::figure);
  } catch (const std::invalid_argument&) {
    return false;
  }
}

// Files of that name may be anyone's, of the figure in the paper perhaps. Only those of an earlier
// run are replaced: its JSON says which they are. Throws FileError.
void require_figure_files(const std::filesystem::path& start) {
  const auto file = [&](const std::string& ending) {
    return std::filesystem::path(start.string() + ending);
  };
  const std::filesystem::path json = file(".json");
  const bool earlier = file_exists(json) && is_figure(read_file(json));
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
    for (const figures::Panel& panel : panels)
      console.out << fmt::format("{:<7}  {}; {}\n", panel.id, panel.title, panel.source);
    return as_expected_code;
  }
  const figures::Panel& panel = figures::find_panel(panels, arguments.id);
  const auto file = [&](const std::string& ending) { return arguments.out / (panel.id + ending); };
  prepare_folder(arguments.out);
  require_figure_files(arguments.out / panel.id);
  figures::FigureOptions options{.seed = arguments.seed,
                                 .threads = arguments.threads,
                                 .trials = arguments.trials,
                                 .records_divisor = arguments.records_divisor};
  if (console.err_is_terminal)
    options.progress = [&err = console.err](Index done, Index total) {
      err << fmt::format("\r\033[K{} of {} runs", done, total) << (done == total ? "\r\033[K" : "")
          << std::flush;
    };
  const std::filesystem::path kept = arguments.out / "figure-trials";
  CheckpointFiles trials(kept, program_fingerprint(), complaints_on(console));
  options.checkpoints = trials.store();
  if (arguments.shard.count > 1) {
    const Index count = run_part(panel, options, arguments.shard.number, arguments.shard.count);
    console.out << kept_in_words(arguments.shard, plural(static_cast<std::size_t>(count), "trial"),
                                 kept);
    return as_expected_code;
  }
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
  trials.remove();
  console.out << figure_text(figure) << "\n" << pictures;
  if (!failure.empty()) console.err << program().name << ": no pictures: " << failure << std::endl;
  return as_expected_code;
}

}  // namespace dpverify
