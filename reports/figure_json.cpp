#include "reports/figure_json.hpp"

#include <exception>

#include "reports/envelope.hpp"
#include "reports/json_text.hpp"

namespace dpverify::figures {

std::string figure_json(const Context& context, const Figure& figure) {
  Json curves = Json::array();
  for (const Curve& curve : figure.curves) {
    Json points = Json::array();
    for (std::size_t k = 0; k < curve.points.size(); ++k) {
      const Point& point = curve.points[k];
      points.push_back({{"x", figure.x[k]},
                        {"mean", json_number(point.mean)},
                        {"lower", json_number(point.lower)},
                        {"upper", json_number(point.upper)}});
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
  const Json json{{"id", figure.id},
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
                  {"interval_level", interval_level},
                  {"curves", std::move(curves)},
                  {"statements", std::move(judgements)},
                  {"null_tests", std::move(tests)}};
  return document(DocumentKind::figure, context,
                  {{"figure", json}, {"timings", {{"seconds", figure.seconds}}}});
}

std::string figure_title(std::string_view text) {
  try {
    const Json json = parse_json(text);
    if (!json.is_object() || json.value("kind", Json()) != name(DocumentKind::figure)) return "";
    const Json& figure = json.at("figure");
    return figure.at("source").get<std::string>() + ": " + figure.at("title").get<std::string>();
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace dpverify::figures
