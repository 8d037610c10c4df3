#include "reports/pictures.hpp"

#include "bench/figures/test_figures.hpp"
#include "reports/context.hpp"
#include "reports/figure_json.hpp"
#include "reports/test_commands.hpp"

namespace dpverify {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class PicturesTest : public CommandTest {};

TEST_F(PicturesTest, ThePageHoldsThemAndNoMarkupOfTheirs) {
  const std::string page = pictures_page(
      {{"a.b.rate.printed", "<script>alert(1)</script>", "<svg onload='alert(2)'/>"}});
  EXPECT_THAT(page, AllOf(HasSubstr("id=\"a.b.rate.printed\""), HasSubstr("&lt;script&gt;"),
                          HasSubstr("data:image/svg+xml,%3Csvg onload=%27"),
                          Not(HasSubstr("<script")), Not(HasSubstr("<svg"))));
}

TEST_F(PicturesTest, PanelsInTheFolderAreOnThePage) {
  figures::Figure figure = figures::fabricated_figure({1, 2, 3}, {1, 2, 3});
  figure.id = "hu.1a";
  figure.trials = 20;
  figure.title = figure.source = figure.problem = "words";
  write("test.json", figures::figure_json(describe(CheckContext{}), figure));
  EXPECT_EQ(write_pictures_page(folder_, {}), "") << "no picture";
  write("test.svg", "<svg>one</svg>");
  write("test-noise.svg", "<svg>two</svg>");
  write("mine.json", "{}");
  write("mine.svg", "<svg>three</svg>");
  const auto page = write_pictures_page(folder_, {{"a.rate", "A paper", "<svg>four</svg>"}});
  EXPECT_EQ(page, folder_ / pictures_page_name);
  EXPECT_THAT(read_file(page), AllOf(HasSubstr("one"), HasSubstr("two"), HasSubstr("four"),
                                     Not(HasSubstr("three"))));
}

TEST_F(PicturesTest, AFileOfOthersStays) {
  write(pictures_page_name, "my pictures");
  EXPECT_THROW(prepare_pictures_page(folder_), FileError);
  EXPECT_THROW(write_pictures_page(folder_, {{"a", "b", "<svg/>"}}), FileError);
}

TEST_F(PicturesTest, AReportWithoutRatesHasNone) {
  const Pictures none = rate_pictures(to_json(small_report()));
  EXPECT_THAT(none.all, IsEmpty());
  EXPECT_EQ(none.failure, "");
}

}  // namespace
}  // namespace dpverify
