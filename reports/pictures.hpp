// The pictures of a folder's results, and one page of them all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace dpverify {

struct NamedPicture {
  std::string name;   // of its file, without .svg: a claim or a panel of a figure
  std::string title;  // what it shows
  std::string svg;
};

// Either pictures, perhaps none, or in words why gnuplot makes none.
struct Pictures {
  std::vector<NamedPicture> all;
  std::string failure;
};

// Of every rate in a report (the text of report.json) that was measured, in the order of the ids.
// Throws std::invalid_argument for text that is no report.
Pictures rate_pictures(std::string_view report);

// Of the panels of figures that `rates --figure` has left in the folder, sorted by id.
std::vector<NamedPicture> figure_pictures(const std::filesystem::path& folder);

// One HTML file that holds the pictures and needs no network.
std::string pictures_page(const std::vector<NamedPicture>& pictures);

inline constexpr const char* pictures_page_name = "pictures.html";

// Sees that the page can be written. Throws FileError if not, and if a file of that name is there
// that is none of ours.
void prepare_pictures_page(const std::filesystem::path& folder);

// Writes the page of these rates and of the panels in the folder, and gives its name; empty: there
// is no picture. Throws FileError.
std::filesystem::path write_pictures_page(const std::filesystem::path& folder,
                                          std::vector<NamedPicture> rates);

}  // namespace dpverify
