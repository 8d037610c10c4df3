#include "algorithms/core/dataset.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <set>

namespace dpverify {
namespace {

using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

// Record i has features 10 i, 10 i + 1, ... and label i.
Dataset numbered(Index n, Index d) {
  Dataset data{Matrix(n, d), VectorXd(n)};
  for (Index i = 0; i < n; ++i) {
    data.labels[i] = static_cast<double>(i);
    for (Index j = 0; j < d; ++j) data.features(i, j) = static_cast<double>(10 * i + j);
  }
  return data;
}

TEST(Dataset, PartsAreDisjointEqualAndLeaveTheRemainder) {
  for (const Index n : {1, 2, 7, 12, 100}) {
    const Dataset data = numbered(n, 3);
    for (Index parts = 1; parts <= n; ++parts) {
      std::set<double> seen;
      for (Index t = 1; t <= parts; ++t) {
        const DataView part = data.part(t, parts);
        ASSERT_EQ(part.size(), n / parts);
        ASSERT_EQ(part.dimension(), 3);
        for (Index i = 0; i < part.size(); ++i) {
          EXPECT_TRUE(seen.insert(part.labels[i]).second) << "record in two parts";
          for (Index j = 0; j < 3; ++j)
            EXPECT_EQ(part.features(i, j), 10 * part.labels[i] + static_cast<double>(j));
        }
      }
      EXPECT_EQ(static_cast<Index>(seen.size()), n / parts * parts);
      EXPECT_EQ(*seen.rbegin(), static_cast<double>(n / parts * parts - 1));
    }
  }
}

TEST(Dataset, PartSharesMemory) {
  const Dataset data = numbered(6, 2);
  EXPECT_EQ(data.part(2, 3).features.data(), &data.features(2, 0));
  EXPECT_EQ(data.all().features.data(), data.features.data());
  EXPECT_EQ(data.all().size(), 6);
}

TEST(Dataset, PartOutOfRange) {
  const Dataset data = numbered(4, 1);
  EXPECT_THAT([&] { data.part(1, 5); },
              ThrowsMessage<std::invalid_argument>(
                  "number of parts is 5, but must be in 1..4 (the number of records)"));
  EXPECT_THAT([&] { data.part(3, 2); },
              ThrowsMessage<std::invalid_argument>("part is 3, but must be in 1..2"));
  EXPECT_THROW(data.part(0, 2), std::invalid_argument);
  EXPECT_THROW(data.part(1, 0), std::invalid_argument);
}

TEST(Dataset, ValidateNamesTheBadEntry) {
  Dataset data = numbered(3, 2);
  EXPECT_NO_THROW(validate(data));
  data.features(2, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT([&] { validate(data); }, ThrowsMessage<std::invalid_argument>(
                                           "feature 1 of record 2 is nan, but must be finite"));
  data = numbered(3, 2);
  data.labels[1] = -std::numeric_limits<double>::infinity();
  EXPECT_THAT([&] { validate(data); }, ThrowsMessage<std::invalid_argument>(
                                           "label of record 1 is -inf, but must be finite"));
  // Whichever entry it is.
  for (Index i = 0; i < 3; ++i) {
    data = numbered(3, 2);
    data.labels[i] = std::numeric_limits<double>::infinity();
    EXPECT_THROW(validate(data), std::invalid_argument) << i;
    for (Index j = 0; j < 2; ++j) {
      data = numbered(3, 2);
      data.features(i, j) = std::numeric_limits<double>::infinity();
      EXPECT_THROW(validate(data), std::invalid_argument) << i << " " << j;
    }
  }
  data = numbered(3, 2);
  data.labels = VectorXd::Zero(2);
  EXPECT_THAT([&] { validate(data); },
              ThrowsMessage<std::invalid_argument>(HasSubstr("number of labels is 2")));
  EXPECT_THROW(validate(Dataset{Matrix(0, 2), VectorXd(0)}), std::invalid_argument);
  EXPECT_THROW(validate(Dataset{Matrix(2, 0), VectorXd::Zero(2)}), std::invalid_argument);
}

TEST(Dataset, RepeatedKeepsTheOrder) {
  const Dataset twice = repeated(numbered(3, 2), 2);
  ASSERT_EQ(twice.size(), 6);
  for (Index i = 0; i < 6; ++i) {
    EXPECT_EQ(twice.labels[i], static_cast<double>(i % 3));
    EXPECT_EQ(twice.features(i, 1), static_cast<double>(10 * (i % 3) + 1));
  }
}

TEST(Dataset, PairDiffersInTheReplacedRecordOnly) {
  const NeighbouringPair pair = make_pair({{1, 2, 3}, {4, 5, 6}}, 1, {7, 8, 9});
  EXPECT_EQ(pair.data.features, (Matrix(2, 2) << 1, 2, 4, 5).finished());
  EXPECT_EQ(pair.data.labels, (VectorXd(2) << 3, 6).finished());
  EXPECT_EQ(pair.neighbour.features, (Matrix(2, 2) << 1, 2, 7, 8).finished());
  EXPECT_EQ(pair.neighbour.labels, (VectorXd(2) << 3, 9).finished());
  EXPECT_EQ(pair.replaced, 1);
}

// Three blocks, the last of 5 records, whose record i is (i, -i) with the label i/2.
RecordSource counting() {
  return {.records = 2 * RecordSource::records_per_block + 5,
          .dimension = 2,
          .block = [](Index block, Index count) {
            Dataset data{Matrix(count, 2), VectorXd(count)};
            for (Index i = 0; i < count; ++i) {
              const auto at = static_cast<double>(block * RecordSource::records_per_block + i);
              data.features.row(i) << at, -at;
              data.labels[i] = at / 2;
            }
            return data;
          }};
}

TEST(Dataset, DrawnPartByPartItIsTheSameAsHeld) {
  const Dataset drawn = from_source(counting()), whole = held(counting());
  ASSERT_EQ(drawn.size(), whole.size());
  ASSERT_EQ(drawn.dimension(), 2);
  for (Index i = 0; i < whole.size(); ++i) ASSERT_EQ(whole.features(i, 0), static_cast<double>(i));
  for (const Index parts : {1, 2, 3, 7, 4096, 16389})
    for (const Index t : {Index{1}, (parts + 1) / 2, parts}) {
      const DataView one = drawn.part(t, parts), other = whole.part(t, parts);
      EXPECT_EQ(one.features, other.features) << t << " of " << parts;
      EXPECT_EQ(one.labels, other.labels);
    }
  EXPECT_THROW(drawn.all(), std::invalid_argument);
  EXPECT_THROW(drawn.part(2, 1), std::invalid_argument);
}

TEST(Dataset, ABlockOfTheWrongSizeIsAnError) {
  RecordSource source = counting();
  source.block = [](Index, Index count) {
    return Dataset{Matrix::Zero(count - 1, 2), VectorXd::Zero(count - 1)};
  };
  EXPECT_THROW(from_source(source).part(1, 2), std::invalid_argument);
  EXPECT_THROW(from_source({.records = 0, .dimension = 1}), std::invalid_argument);
}

TEST(Dataset, PairWithBadArguments) {
  EXPECT_THROW(make_pair({}, 0, {1, 2}), std::invalid_argument);
  EXPECT_THROW(make_pair({{1, 2}}, 1, {1, 2}), std::invalid_argument);
  EXPECT_THROW(make_pair({{1, 2}}, -1, {1, 2}), std::invalid_argument);
  EXPECT_THROW(make_pair({{1, 2}, {1, 2, 3}}, 0, {1, 2}), std::invalid_argument);
  EXPECT_THROW(make_pair({{}}, 0, {}), std::invalid_argument);
}

TEST(RecordChange, FollowsFromTheSizes) {
  const Dataset one{Matrix::Zero(1, 2), VectorXd::Zero(1)},
      two{Matrix::Zero(2, 2), VectorXd::Zero(2)};
  EXPECT_EQ(record_change({two, two, 1}), RecordChange::replaced);
  EXPECT_EQ(record_change({two, one, 1}), RecordChange::removed);
  EXPECT_EQ(record_change({one, two, 1}), RecordChange::added);
  EXPECT_THROW(record_change({one, one, 1}), std::invalid_argument);
  EXPECT_THROW(record_change({one, one, -1}), std::invalid_argument);
  EXPECT_THROW(record_change({one, two, 2}), std::invalid_argument);
  const Dataset three{Matrix::Zero(3, 2), VectorXd::Zero(3)},
      wide{Matrix::Zero(1, 3), VectorXd::Zero(1)};
  EXPECT_THROW(record_change({one, three, 0}), std::invalid_argument);
  EXPECT_THROW(record_change({one, wide, 0}), std::invalid_argument);
}

}  // namespace
}  // namespace dpverify
