// What is kept of errors decides for every tolerance as all of them do.

#include "judge/errors_by_size.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "judge/judge.h"
#include "tensors.h"

namespace culprit {
namespace {

bool are_all_within(const std::vector<SizedError>& errors, double atol, double rtol) {
  return std::ranges::all_of(errors, [&](const SizedError& one) { return one.off <= atol + rtol * one.size; });
}

ErrorsBySize collected(const std::vector<SizedError>& errors) {
  ErrorCollector collector;
  for (const SizedError& error : errors) collector.add(error);
  return collector.result();
}

constexpr std::array<double, 8> tolerances{0, 1e-4, 1e-3, 0.01, 0.1, 0.5, 1, 4};

TEST(ErrorsBySizeOf, RandomErrorsDecideAsAllDo) {
  std::mt19937 random(7);
  std::lognormal_distribution<double> any(0, 2);
  int yes = 0, no = 0;
  for (int round = 0; round < 50; ++round) {
    std::vector<SizedError> errors;
    for (int i = 0; i < 2000; ++i) errors.push_back({any(random), any(random) / 500});
    const ErrorsBySize kept = collected(errors);
    EXPECT_EQ(kept.slack, 0);
    EXPECT_LE(kept.corners.size(), most_sized_errors);
    for (double atol : tolerances)
      for (double rtol : tolerances) {
        const bool expected = are_all_within(errors, atol, rtol);
        expected ? ++yes : ++no;
        EXPECT_EQ(are_within(kept, atol, rtol), expected ? WithinTolerance::yes : WithinTolerance::no)
            << atol << " " << rtol;
      }
  }
  EXPECT_GT(yes, 100);
  EXPECT_GT(no, 100);
}

TEST(ErrorsBySizeOf, CornersThatAreTooManyLeaveALittleDoubtAndNoWrongAnswer) {
  std::vector<SizedError> errors;
  for (int i = 0; i < 100000; ++i) errors.push_back({i * 1e-3, std::sqrt(i * 1e-3)});
  const ErrorsBySize kept = collected(errors);
  EXPECT_LE(kept.corners.size(), most_sized_errors);
  EXPECT_GT(kept.slack, 0);
  EXPECT_LT(kept.slack, 0.03 * 10);
  int unsure = 0;
  for (double rtol : tolerances) {
    double needed = 0;  // the smallest atol that lets all pass
    for (const SizedError& one : errors) needed = std::max(needed, one.off - rtol * one.size);
    for (double share : {0.5, 0.9, 0.999, 1.001, 1.1, 2.0}) {
      const WithinTolerance answer = are_within(kept, needed * share, rtol);
      if (answer == WithinTolerance::unsure) ++unsure;
      const bool expected = are_all_within(errors, needed * share, rtol);
      EXPECT_NE(answer, expected ? WithinTolerance::no : WithinTolerance::yes) << needed * share << " " << rtol;
    }
  }
  EXPECT_LT(unsure, 24);
}

TEST(ErrorsBySizeOf, TwoSamplesAreBoth) {
  const ErrorsBySize both = all_errors(collected({{1, 0.1}, {4, 0.2}}), collected({{2, 0.5}}));
  EXPECT_EQ(are_within(both, 0.4, 0), WithinTolerance::no);
  EXPECT_EQ(are_within(both, 0.1, 0.2), WithinTolerance::yes);
  EXPECT_EQ(are_within(both, 0.09, 0.2), WithinTolerance::no);
}

TEST(ErrorsBySizeOf, WrongOnesAreWrongWhateverElseIsUnknown) {
  ErrorCollector collector;
  collector.add(ErrorsBySize{{}, infinity});
  EXPECT_EQ(are_within(collector.result(), 1e9, 1), WithinTolerance::unsure);
  collector.add({1, 0.5});
  EXPECT_EQ(are_within(collector.result(), 0.4, 0), WithinTolerance::no);
  collector.add_wrong();
  collector.add({2, 7});
  EXPECT_EQ(are_within(collector.result(), 1e9, 1), WithinTolerance::no);
}

TEST(ErrorsBySizeOf, MeasurementsHoldThoseThatRoundingDoesNotExplain) {
  const Measurement m = measure(floats({1, 100, 3}), floats({1.5, 102, 3}), {});
  EXPECT_EQ(are_within(m.beyond, 2, 0), WithinTolerance::yes);
  EXPECT_EQ(are_within(m.beyond, 1.9, 0), WithinTolerance::no);
  EXPECT_EQ(are_within(m.beyond, 0.48, 0.02), WithinTolerance::yes);
  EXPECT_EQ(are_within(m.beyond, 0, 0.5), WithinTolerance::yes);
  EXPECT_EQ(are_within(measure(floats({1, 2}), floats({1, 2}), {}).beyond, 0, 0), WithinTolerance::yes);
}

TEST(ErrorsBySizeOf, NoToleranceLetsAnotherShapeOrWholeNumberPass) {
  EXPECT_EQ(are_within(measure(floats({1, 2}), floats({1}), {}).beyond, 1e9, 1), WithinTolerance::no);
  EXPECT_EQ(are_within(measure(floats({1, NAN}), floats({1, 2}), {}).beyond, 1e9, 1), WithinTolerance::no);
  const Tensor ones = Tensor::of<std::int32_t>({2}, {1, 1}), others = Tensor::of<std::int32_t>({2}, {1, 2});
  EXPECT_EQ(are_within(measure(ones, others, {}).beyond, 1e9, 1), WithinTolerance::no);
}

}  // namespace
}  // namespace culprit
