#include "bench/figures/panel.hpp"

#include <fmt/format.h>

#include "algorithms/core/checked.hpp"

namespace dpverify::figures {
namespace {

void assign(Setting& setting, Variable variable, double value) {
  switch (variable) {
    case Variable::epsilon:
      setting.epsilon = value;
      break;
    case Variable::records:
      setting.records = static_cast<Index>(value);
      break;
    case Variable::dimension:
      setting.dimension = static_cast<Index>(value);
      break;
    case Variable::sparsity:
      setting.sparsity = static_cast<Index>(value);
      break;
  }
}

}  // namespace

std::string_view name(Variable variable) {
  switch (variable) {
    case Variable::epsilon:
      return "epsilon";
    case Variable::records:
      return "n";
    case Variable::dimension:
      return "d";
    case Variable::sparsity:
      return "s*";
  }
  return "";
}

std::string_view name(Role role) {
  switch (role) {
    case Role::experiments:
      return "experiments";
    case Role::theorem:
      return "theorem";
    case Role::comparator:
      return "comparator";
  }
  return "";
}

const Panel& find_panel(const std::vector<Panel>& panels, std::string_view id) {
  std::string known;
  for (const Panel& panel : panels) {
    if (panel.id == id) return panel;
    known += (known.empty() ? "" : ", ") + panel.id;
  }
  require(false, "figure", std::string(id), known);
  return panels.front();
}

Setting setting(const Panel& panel, double x, double series) {
  Setting at = panel.base;
  assign(at, panel.series_variable, series);
  assign(at, panel.x_variable, x);
  return at;
}

std::string source_in_words(const Panel& panel) {
  return fmt::format("{}, {}", name(panel.source.text), panel.source.where);
}

std::string fixed_in_words(const Panel& panel) {
  std::string text;
  const auto add = [&](Variable variable, double value) {
    if (variable == panel.x_variable || variable == panel.series_variable) return;
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name(variable), value);
  };
  add(Variable::records, static_cast<double>(panel.base.records));
  add(Variable::dimension, static_cast<double>(panel.base.dimension));
  if (panel.problem.sparse) add(Variable::sparsity, static_cast<double>(panel.base.sparsity));
  add(Variable::epsilon, panel.base.epsilon);
  return text;
}

}  // namespace dpverify::figures
