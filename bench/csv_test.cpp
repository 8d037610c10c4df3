#include "bench/csv.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "algorithms/core/build_info.hpp"

namespace dpverify {
namespace {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::ThrowsMessage;

// A file that goes away with the test; its name is what the messages start with.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text, const std::string& suffix = "") {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = ::testing::TempDir() + "csv_test_" + test->name() + suffix + ".csv";
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// The message of reading a file with this text, without the file's name, "" if there is none.
std::string error_of(const std::string& text, MessageDetail detail = MessageDetail::places) {
  const TemporaryFile file(text);
  try {
    read_csv(file.path(), detail);
  } catch (const std::invalid_argument& error) {
    std::string message = error.what();
    const std::size_t at = message.find(file.path());
    if (at == std::string::npos) return "message does not name the file: " + message;
    message.replace(at, file.path().size(), "F");
    if (message.find('\n') != std::string::npos) return "message has two lines: " + message;
    return message;
  }
  return "";
}

std::string bounds_error_of(const std::string& text) {
  const TemporaryFile file(text);
  try {
    read_bounds(file.path());
  } catch (const std::invalid_argument& error) {
    std::string message = error.what();
    const std::size_t at = message.find(file.path());
    if (at == std::string::npos) return "message does not name the file: " + message;
    return message.replace(at, file.path().size(), "F");
  }
  return "";
}

const Matrix two_by_two = (Matrix(2, 2) << 1, -2.5, 3e2, 0.25).finished();

TEST(Csv, Plain) {
  const TemporaryFile file("a,b\n1,-2.5\n3e2,.25\n");
  const CsvTable table = read_csv(file.path());
  EXPECT_THAT(table.columns, ElementsAre("a", "b"));
  EXPECT_EQ(table.values, two_by_two);
}

// Every mix of the three ends, so that no kind of them alone counts the lines.
TEST(Csv, LinesOfOneFileEndInEveryWay) {
  const std::array<std::string, 3> ends{"\n", "\r", "\r\n"};
  constexpr int lines = 6;
  for (int mix = 0; mix < 729; ++mix) {
    std::string text = "a";
    for (int line = 0, left = mix; line < lines; ++line, left /= 3) {
      text += ends[static_cast<std::size_t>(left % 3)];
      if (line + 1 < lines) text += std::to_string(line);
    }
    const TemporaryFile file(text);
    const CsvTable table = read_csv(file.path());
    ASSERT_EQ(table.values, (Matrix(5, 1) << 0, 1, 2, 3, 4).finished()) << mix;
  }
}

TEST(Csv, FormsThatMeanTheSame) {
  for (const std::string text :
       {"a,b\r\n1,-2.5\r\n300,0.25\r\n", "a,b\n1,-2.5\n300,0.25", "a,b\r1,-2.5\r300,0.25\r",
        "\xEF\xBB\xBF"
        "a,b\n1,-2.5\n300,0.25\n",
        "\"a\",\"b\"\n\"1\",\"-2.5\"\n300,\"0.25\"\n", "a, b\n 1 ,\t-2.5\n300 , 0.25\n",
        "\na,b\n\n1,-2.5\n\n300,0.25\n\n", "a,b\r\n1,-2.5\r\n300,+0.25",
        "a,b\n1,-2.5\n300,\"0.25\""}) {
    const TemporaryFile file(text);
    const CsvTable table = read_csv(file.path());
    EXPECT_THAT(table.columns, ElementsAre("a", "b")) << text;
    EXPECT_EQ(table.values, two_by_two) << text;
  }
}

TEST(Csv, QuotedNamesMayHoldCommasQuotesAndLineEnds) {
  const TemporaryFile file("\"a, \"\"b\"\"\",\"two\nlines\",c\n1,2,x\n");
  EXPECT_THAT([&] { read_csv(file.path()); },
              ThrowsMessage<std::invalid_argument>(
                  file.path() + ":3: column 3 is other text, but must be a number"));
  const TemporaryFile good("\"a, \"\"b\"\"\",\"two\nlines\"\n1,2\n", "_good");
  EXPECT_THAT(read_csv(good.path()).columns, ElementsAre("a, \"b\"", "two\nlines"));
}

TEST(Csv, NumbersOfDataAreRoundedToTheNearestDouble) {
  const TemporaryFile file("a,b,c,d\n0.1,1e-320,-1.7976931348623157e308,9007199254740993\n");
  EXPECT_EQ(read_csv(file.path()).values,
            (Matrix(1, 4) << 0.1, 1e-320, -1.7976931348623157e308, 9007199254740992.0).finished());
}

TEST(Csv, FilesThatHoldNoData) {
  EXPECT_EQ(error_of(""),
            "data file F is empty, but must be a header line and at least one record");
  EXPECT_EQ(error_of("\n\n"),
            "data file F is empty, but must be a header line and at least one record");
  EXPECT_EQ(error_of("\xEF\xBB\xBF"),
            "data file F is empty, but must be a header line and at least one record");
  EXPECT_EQ(error_of("a,b\n"), "F: number of records is 0, but must be at least 1");
  EXPECT_EQ(error_of("a,b"), "F: number of records is 0, but must be at least 1");
}

TEST(Csv, FilesThatCannotBeRead) {
  EXPECT_THAT([] { read_csv("/nowhere/data.csv"); },
              ThrowsMessage<std::invalid_argument>(
                  "data file /nowhere/data.csv is unreadable (No such file or directory), but must "
                  "be a CSV file that can be read"));
  EXPECT_THAT([] { read_csv("/"); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("unreadable (Is a directory)")));
}

TEST(Csv, RaggedRows) {
  EXPECT_EQ(error_of("a,b\n1,2\n3\n"),
            "F:3: number of cells is 1, but must be 2 (the number of columns)");
  EXPECT_EQ(error_of("a,b\n1,2,3\n"),
            "F:2: number of cells is 3, but must be 2 (the number of columns)");
  EXPECT_EQ(error_of("a,b\n1,2,\n"),
            "F:2: number of cells is 3, but must be 2 (the number of columns)");
  // The line is counted over blank lines and any line end.
  EXPECT_EQ(error_of("a,b\r\n\r\n1,2\r\n\r\n3"),
            "F:5: number of cells is 1, but must be 2 (the number of columns)");
}

TEST(Csv, CellsThatAreNoFiniteNumber) {
  EXPECT_EQ(error_of("a,b\n1,2\n3,four\n"), "F:3: column 2 is other text, but must be a number");
  EXPECT_EQ(error_of("a,b\n1,\n"), "F:2: column 2 is empty, but must be a number");
  EXPECT_EQ(error_of("a,b\n,2\n"), "F:2: column 1 is empty, but must be a number");
  EXPECT_EQ(error_of("a,b\n\"\",2\n"), "F:2: column 1 is empty, but must be a number");
  EXPECT_EQ(error_of("a,b\n  ,2\n"), "F:2: column 1 is empty, but must be a number");
  for (const std::string text : {"1.5x", "1,5", "1 5", "--1", "+-1", "0x10", "1e", "$3", "NA", "+"})
    EXPECT_EQ(error_of("a,b\n1,\"" + text + "\"\n"),
              "F:2: column 2 is other text, but must be a number");
  for (const std::string text : {"nan", "NaN", "-nan", "inf", "-inf", "Infinity", "+inf"})
    EXPECT_EQ(error_of("a,b\n1," + text + "\n"),
              "F:2: column 2 is infinite or not a number, but must be finite");
  for (const std::string text : {"1e999", "-1e999", "1e-999"})
    EXPECT_EQ(error_of("a,b\n1," + text + "\n"),
              "F:2: column 2 is beyond the range of a double, but must be within it");
}

TEST(Csv, OnlyWhoAsksForItIsToldTheCellAndOnOneShortLine) {
  const auto told = [](const std::string& text) { return error_of(text, MessageDetail::values); };
  EXPECT_EQ(told("a,b\n1,four\n"),
            "F:2: column 2, 'b', with 'four', is other text, but must be a number");
  EXPECT_EQ(told("a,b\n1,\"x\ny\x1b[31m\"\n"),
            "F:3: column 2, 'b', with 'x?y?[31m', is other text, but must be a number");
  EXPECT_EQ(told("a,b\n1," + std::string(1000, 'z') + "\n"),
            "F:2: column 2, 'b', with '" + std::string(40, 'z') +
                "...', is other text, but must be a number");
  EXPECT_EQ(told("a,b\n1," + std::string("\0001", 2) + "\n"),
            "F:2: column 2, 'b', with '?1', is other text, but must be a number");
}

// Whatever is wrong with a file, and where a header is missing too.
TEST(Csv, MessagesHoldNothingOfTheFile) {
  for (const std::string text :
       {"S7,b\n1,S7\n", "S7,b\n1,S7e999\n", "S7,b\n1,1e7777\n", "S7,S7\n1,2\n", "S7,b\nS7\n",
        "S7,b\n1,\"S7\n", "S7,b\n1,S\"7\n", "S7,b\n", "S7,\n1,2\n", "7777,7778\n1,2\n"}) {
    const std::string message = error_of(text);
    EXPECT_NE(message, "") << text;
    EXPECT_EQ(message.find("S7"), std::string::npos) << message;
    EXPECT_EQ(message.find("777"), std::string::npos) << message;
    EXPECT_EQ(bounds_error_of(text).find("S7"), std::string::npos) << text;
  }
}

TEST(Csv, Headers) {
  EXPECT_EQ(error_of("a,b,a\n1,2,3\n"),
            "F:1: name of column 3 is that of column 1 again, but must be used once");
  EXPECT_EQ(error_of("a,,c\n1,2,3\n"), "F:1: name of column 2 is empty, but must be a name");
  EXPECT_EQ(error_of("1,2,3\n4,5,6\n"),
            "F:1: header is a row of numbers, but must be the names of the columns");
  EXPECT_EQ(error_of("0,1,y\n4,5,6\n"), "");
}

TEST(Csv, Quoting) {
  const std::string message =
      "quoting is broken, but must be a pair of double quotes around a whole cell, or none";
  EXPECT_EQ(error_of("a,b\n1,\"2\n"), "F:2: " + message);
  EXPECT_EQ(error_of("a,b\n1,\"2"), "F:2: " + message);
  EXPECT_EQ(error_of("a,b\n1,2\n1,\"2\"3\n"), "F:3: " + message);
  EXPECT_EQ(error_of("a,b\n1,2\"3\n"), "F:2: " + message);
}

// ---- target

CsvTable small_table() {
  return {"F", {"a", "y", "b"}, (Matrix(2, 3) << 1, 2, 3, 4, 5, 6).finished()};
}

// A record that spans lines goes as a whole; all that is kept is as it was, byte by byte.
TEST(CsvWithout, LeavesOutAUserOrARecord) {
  const TemporaryFile file("\xEF\xBB\xBFuser,note\r\n1,\"a\nb\"\n\n 2 ,x\n1,\"1\"\n10,1\n2,last");
  const std::string head = "\xEF\xBB\xBFuser,note\r\n";
  EXPECT_EQ(csv_without(file.path(), "user=1"), head + "\n 2 ,x\n10,1\n2,last");
  EXPECT_EQ(csv_without(file.path(), "user=2"), head + "1,\"a\nb\"\n\n1,\"1\"\n10,1\n");
  EXPECT_EQ(csv_without(file.path(), "note=1"), head + "1,\"a\nb\"\n\n 2 ,x\n2,last");
  EXPECT_EQ(csv_without(file.path(), "note=a\nb"), head + "\n 2 ,x\n1,\"1\"\n10,1\n2,last");
  EXPECT_EQ(csv_without(file.path(), "2"), head + "1,\"a\nb\"\n\n1,\"1\"\n10,1\n2,last");
  EXPECT_EQ(csv_without(file.path(), "5"), head + "1,\"a\nb\"\n\n 2 ,x\n1,\"1\"\n10,1\n");
}

TEST(CsvWithout, RefusesWhatIsNotThere) {
  const TemporaryFile file("user,note\n1,x\n2,y\n");
  const auto refuses = [&](const std::string& what, const std::string& message) {
    EXPECT_THAT([&] { csv_without(file.path(), what); },
                ThrowsMessage<std::invalid_argument>(HasSubstr(message)))
        << what;
  };
  for (const char* what : {"", "user", "0", "-1", "1.5", "99999999999999999999"})
    refuses(what, std::string("records to leave out is '") + what +
                      "', but must be COLUMN=VALUE, or the number of a record, from 1");
  refuses("3", "which it does not have, but must be from 1 to 2");
  refuses("users=1", "is 'users', but must be one of the 2 names of columns in its first line");
  refuses("user=", "'user=', which it does not have, but must be a value of this column");
  refuses("user=3", "'user=3', which it does not have, but must be a value of this column");
}

TEST(Target, BecomesTheLabels) {
  const NamedDataset middle = dataset_with_target(small_table(), "y");
  EXPECT_EQ(middle.data.features, (Matrix(2, 2) << 1, 3, 4, 6).finished());
  EXPECT_EQ(middle.data.labels, (VectorXd(2) << 2, 5).finished());
  EXPECT_THAT(middle.features, ElementsAre("a", "b"));
  EXPECT_EQ(middle.target, "y");
  const NamedDataset first = dataset_with_target(small_table(), "a");
  EXPECT_EQ(first.data.features, (Matrix(2, 2) << 2, 3, 5, 6).finished());
  const NamedDataset last = dataset_with_target(small_table(), "b");
  EXPECT_EQ(last.data.features, (Matrix(2, 2) << 1, 2, 4, 5).finished());
  EXPECT_EQ(last.data.labels, (VectorXd(2) << 3, 6).finished());
}

// A header is the user's, of any length: the message stays one line and short.
TEST(Target, OfManyAndLongNamesTheFirstAreListed) {
  CsvTable table{.path = "F", .columns = {}, .values = Matrix::Ones(2, 23)};
  table.detail = MessageDetail::values;
  for (int k = 0; k < 23; ++k)
    table.columns.push_back(std::to_string(k) + "\n" + std::string(5000, 'x'));
  try {
    dataset_with_target(table, "z");
    FAIL();
  } catch (const std::invalid_argument& refusal) {
    const std::string message = refusal.what();
    EXPECT_THAT(message, HasSubstr("'z', but must be one of the columns '0?xxx"));
    EXPECT_THAT(message, HasSubstr("x...', '19?x"));
    EXPECT_THAT(message, Not(HasSubstr("'20?")));
    EXPECT_THAT(message, EndsWith("...' and 3 more"));
    EXPECT_LT(message.size(), 1200);
  }
}

TEST(Target, UnknownOrAlone) {
  EXPECT_THAT([] { dataset_with_target(small_table(), "z"); },
              ThrowsMessage<std::invalid_argument>(
                  "F: target is 'z', but must be one of the 3 names of columns in its first line"));
  CsvTable shown = small_table();
  shown.detail = MessageDetail::values;
  EXPECT_THAT([&] { dataset_with_target(shown, "z"); },
              ThrowsMessage<std::invalid_argument>(
                  "F: target is 'z', but must be one of the columns 'a', 'y', 'b'"));
  EXPECT_THAT(
      [] {
        dataset_with_target({"F", {"y"}, Matrix::Ones(2, 1)}, "y");
      },
      ThrowsMessage<std::invalid_argument>(
          "F: target is 'y', the only column, but must be beside at least one other "
          "column, for the features"));
}

// ---- public bounds

TEST(Bounds, MapTheBoundsToMinusOneAndOneAndNeverClip) {
  // Row by row: lower, upper, centre, above, below; b is not listed.
  CsvTable table{"F", {"a", "b", "y"}, Matrix(5, 3)};
  table.values << 0.1, 7, -3, 0.7, 8, 5, 0.4, 9, 1, 1.3, 10, 13, -0.5, 11, -11;
  NamedDataset named = dataset_with_target(table, "y");
  const TemporaryFile file("column,lower,upper\ny,-3,5\na,0.1,0.7\n");
  apply_public_bounds(named, read_bounds(file.path()));
  EXPECT_EQ(named.data.features(0, 0), -1);
  EXPECT_EQ(named.data.features(1, 0), 1);
  EXPECT_NEAR(named.data.features(2, 0), 0, 1e-15);
  EXPECT_NEAR(named.data.features(3, 0), 3, 1e-14);
  EXPECT_NEAR(named.data.features(4, 0), -3, 1e-14);
  EXPECT_EQ(named.data.features.col(1), table.values.col(1));
  EXPECT_EQ(named.data.labels, (VectorXd(5) << -1, 1, 0, 3, -3).finished());
}

TEST(Bounds, DoNotLookAtTheOtherRecords) {
  // One replaced record changes its own row only: bounds are not taken from the data.
  NamedDataset one = dataset_with_target(small_table(), "y"), other = one;
  other.data.features(1, 0) = 1e9;
  const std::vector<PublicBound> bounds{{"a", 0, 10, "B:2"}, {"b", 0, 10, "B:3"}};
  apply_public_bounds(one, bounds);
  apply_public_bounds(other, bounds);
  EXPECT_EQ(one.data.features.row(0), other.data.features.row(0));
  EXPECT_EQ(one.data.features(1, 1), other.data.features(1, 1));
  EXPECT_NE(one.data.features(1, 0), other.data.features(1, 0));
}

TEST(Bounds, Errors) {
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,1,1\n"),
            "F:2: lower bound of column 'a' is 1, but must be below the upper bound, 1");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,0,1\nb,2,-2\n"),
            "F:3: lower bound of column 'b' is 2, but must be below the upper bound, -2");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,0,inf\n"),
            "F:2: column 3, 'upper', with 'inf', is infinite or not a number, but must be finite");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,nan,1\n"),
            "F:2: column 2, 'lower', with 'nan', is infinite or not a number, but must be finite");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,-1.7e308,1.7e308\n"),
            "F:2: distance of the bounds of column 'a' is inf, but must be finite");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,0,1\na,0,2\n"),
            "F:3: column 'a' is listed again (first at " + ::testing::TempDir() +
                "csv_test_Errors.csv:2), but must be listed once");
  EXPECT_EQ(bounds_error_of("column,upper,lower\na,0,1\n"),
            "F: header is another one, but must be 'column,lower,upper'");
  EXPECT_EQ(bounds_error_of("column,lower,upper\na,0\n"),
            "F:2: number of cells is 2, but must be 3 (the number of columns)");
  NamedDataset named = dataset_with_target(small_table(), "y");
  EXPECT_THAT(
      [&] {
        apply_public_bounds(named, {{"z", 0, 1, "B:2"}});
      },
      ThrowsMessage<std::invalid_argument>(
          "B:2: column is 'z', but must be one of the data's 3 columns"));
  named.data.features(1, 1) = 1e308;
  EXPECT_THAT(
      [&] {
        apply_public_bounds(named, {{"b", 0, 1e-3, "B:2"}});
      },
      ThrowsMessage<std::invalid_argument>(
          "B:2: column 'b' of record 2, mapped by its bounds, is inf, but must be finite"));
}

// ---- the data set of the repository

TEST(MedicalVisits, IsWhatItsReadmeSays) {
  const std::string folder = build_info().source_folder + "/bench/data/";
  const CsvTable table = read_csv(folder + "medical-visits.csv");
  EXPECT_EQ(table.values.rows(), 4406);
  EXPECT_EQ(table.values.cols(), 22);
  NamedDataset named = dataset_with_target(table, "visits");
  const auto centred = named.data.labels.array() - named.data.labels.mean();
  EXPECT_NEAR(centred.pow(4).mean() / std::pow(centred.square().mean(), 2), 23.21, 0.005);

  const std::vector<PublicBound> bounds = read_bounds(folder + "medical-visits-bounds.csv");
  ASSERT_EQ(bounds.size(), table.columns.size());
  for (std::size_t j = 0; j < bounds.size(); ++j) EXPECT_EQ(bounds[j].column, table.columns[j]);
  apply_public_bounds(named, bounds);
  // Years of school 6 of 0..20 in the first record; not clipped: 155 visits of 0..100.
  EXPECT_NEAR(named.data.features(0, 16), -0.4, 1e-15);
  EXPECT_EQ(named.features[16], "school_years");
  EXPECT_NEAR(named.data.features.maxCoeff(), 2 * 54.8351 / 10 - 1, 1e-14);
}

}  // namespace
}  // namespace dpverify
