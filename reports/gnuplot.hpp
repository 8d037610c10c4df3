// Scripts of gnuplot, and the pictures it makes of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

// As a text of a script, which must be told not to read mark-up (noenhanced).
std::string gnuplot_text(std::string_view text);

// The block of data $NAME. Rows are the columns' texts with a blank between.
std::string gnuplot_data(std::string_view name, const std::vector<std::string>& rows);

// Lines of a text above a picture, from its upper edge down, and how high they are together.
// Lengths are in pixels.
struct Heading {
  std::string script;  // labels
  double height = 0;
};
// A title, and below it what is said in grey; both are wrapped to the width.
Heading heading(std::string_view title, const std::vector<std::string>& details, double width,
                double height_of_picture);

// "set xtics (...)": a mark at each of the increasing values, with its number where that does not
// touch the last one. `pixels` is the length of the axis, from `lower` to `upper`.
std::string spaced_xtics(const std::vector<double>& values, double lower, double upper,
                         bool logarithmic, double pixels);

// Either a picture, or in words why there is none: gnuplot is missing, or what it complained of
// first.
struct Picture {
  std::string svg;
  std::string failure;
};

// The SVG that gnuplot makes of a script. Throws FileError if there is no memory for it.
Picture run_gnuplot(const std::string& script);

}  // namespace dpverify
