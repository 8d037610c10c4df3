#include <cmath>
#include <nlohmann/json.hpp>

#include "bench/figures/figure.hpp"

namespace dpverify::figures {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinities and no NaN: they are strings, as in a report.
Json number(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return value;
}

}  // namespace

std::string figure_json(const Figure& figure) {
  Json curves = Json::array();
  for (const Curve& curve : figure.curves) {
    Json points = Json::array();
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      const Point& point = curve.points[k];
      points.push_back({{"x", figure.x[k]},
                        {"mean", number(point.mean)},
                        {"lower", number(point.lower)},
                        {"upper", number(point.upper)}});
    }
    Json json;
    if (curve.quantity != Quantity::zero_vector) {
      json["method"] = curve.method;
      json["role"] = name(curve.role);
    }
    json["quantity"] = name(curve.quantity);
    json["series"] = curve.series;
    json["points"] = std::move(points);
    curves.push_back(std::move(json));
  }
  Json judgements = Json::array();
  for (const Judgement& judgement : figure.judgements)
    judgements.push_back({{"statement", judgement.statement},
                          {"method", judgement.method},
                          {"finding", name(judgement.finding)},
                          {"reason", judgement.reason}});
  Json tests = Json::array();
  for (const NullTest& test : figure.null_tests)
    tests.push_back({{"method", test.method},
                     {"points", test.points},
                     {"better_than_both_controls", test.better},
                     {"worse_than_a_control", test.worse},
                     {"vacuous", test.vacuous()}});
  const Json json{{"schema_version", 1},
                  {"id", figure.id},
                  {"title", figure.title},
                  {"source", figure.source},
                  {"note", figure.note},
                  {"problem", figure.problem},
                  {"error", figure.error},
                  {"x_name", figure.x_name},
                  {"x", figure.x},
                  {"series_name", figure.series_name},
                  {"series", figure.series},
                  {"fixed", figure.fixed},
                  {"seed", figure.seed},
                  {"trials", figure.trials},
                  {"records_divisor", figure.records_divisor},
                  {"interval_level", 0.95},
                  {"curves", std::move(curves)},
                  {"statements", std::move(judgements)},
                  {"null_tests", std::move(tests)},
                  {"timings", {{"seconds", figure.seconds}}}};
  return json.dump(2) + "\n";
}

}  // namespace dpverify::figures
