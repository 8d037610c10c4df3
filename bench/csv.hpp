// Numeric tables from CSV files, and the public bounds that put their columns on one scale.
//
// Read as usual for CSV: cells separated by commas, quoted cells, LF or CRLF, a UTF-8 byte-order
// mark, spaces around a cell, a missing final newline and blank lines. The first line
// names the columns. Everything else is an error, never a guess: a private run must not depend on
// how a damaged record happened to be repaired. Every error is one line with the file, the line and
// the column (std::invalid_argument), and without a word of the file unless asked for: who reads
// the message, in a log perhaps, may not be one of those who may read the data.
#pragma once

#include <string>
#include <vector>

#include "algorithms/core/dataset.hpp"

namespace dpverify {

// What a message tells of the data: where something is wrong, or the cell and the names too. Names
// are data where a file lacks its header.
enum class MessageDetail { places, values };

struct CsvTable {
  std::string path;                              // for messages
  std::vector<std::string> columns;              // different from each other
  Matrix values;                                 // one row a record, finite
  MessageDetail detail = MessageDetail::places;  // of further messages
};

// Throws std::invalid_argument if the file cannot be read, is empty, has no record, has a row of
// another length than the header, quotes that do not pair, a repeated or empty column name, a
// header of nothing but numbers, or a cell that is empty, no number, not finite or beyond a
// double's range.
CsvTable read_csv(const std::string& path, MessageDetail detail = MessageDetail::places);

// The text of the file without the records that `what` names: COLUMN=VALUE, those that hold this
// text in this column (all of a user, say), or a number, that record alone (1: the first below the
// header). Cells may be any text. Throws std::invalid_argument as read_csv does for a file that is
// no table, if there is no such column, or no such record.
std::string csv_without(const std::string& path, const std::string& what);

struct NamedDataset {
  Dataset data;
  std::vector<std::string> features;  // one name a column of data.features
  std::string target;                 // name of data.labels
};

// The target column becomes the labels, the others the features, in their order. Throws
// std::invalid_argument if there is no such column, or no other.
NamedDataset dataset_with_target(const CsvTable& table, const std::string& target);

struct PublicBound {
  std::string column;
  double lower = 0;
  double upper = 0;
  std::string place;  // "file:line", for messages
};

// Reads the columns column,lower,upper: one line a column of the data. Messages name its columns
// and bounds, which are public, once its header is the right one. Throws std::invalid_argument as
// read_csv does, or if a bound is not finite, lower >= upper, or a column is listed twice.
std::vector<PublicBound> read_bounds(const std::string& path);

// Maps the values of each listed column, the target too, affinely so that [lower, upper] becomes
// [-1, 1]; a column that is not listed stays as it is. Throws std::invalid_argument for a column
// the data does not have, or if a mapped value overflows.
//
// The bounds are public knowledge that the user brings along. Taking them from the data (smallest
// and largest value, mean and standard deviation) would be a release of the data without noise,
// outside the accounted ones, and is never done. A value outside its bounds is mapped by the same
// line and not clipped: privacy does not rest on the bounds, because the algorithms bound the
// influence of one record themselves, and clipping would change the heavy-tailed problem they are
// made for.
void apply_public_bounds(NamedDataset& named, const std::vector<PublicBound>& bounds);

}  // namespace dpverify
