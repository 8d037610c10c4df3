// Scripts of gnuplot, and the pictures it makes of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

// As a text of a script, which must be told not to read mark-up (noenhanced).
std::string gnuplot_text(std::string text);

// The block of data $NAME. Rows are the columns' texts with a blank between.
std::string gnuplot_data(std::string_view name, const std::vector<std::string>& rows);

// Either a picture, or in words why there is none: gnuplot is missing, or what it complained of
// first.
struct Picture {
  std::string svg;
  std::string failure;
};

// The SVG that gnuplot makes of a script. Throws FileError if there is no memory for it.
Picture run_gnuplot(const std::string& script);

}  // namespace dpverify
