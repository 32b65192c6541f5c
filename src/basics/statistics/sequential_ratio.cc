#include "statistics/sequential_ratio.h"

#include <fmt/format.h>

#include <cmath>

namespace culprit {

Result<SequentialTest> SequentialTest::of(double share, double delta, double alpha, double beta) {
  const double other = share - delta;
  if (!(share < 1 && delta > 0 && other > 0))
    return fail(ErrorKind::usage,
                fmt::format("no test of {} against {} less: both shares must lie between 0 and 1", share, delta),
                "give for example 0.999,0.001");
  if (!(alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5))
    return fail(ErrorKind::usage, "the chances of an error must lie between 0 and one half");
  SequentialTest test;
  test.for_agreed_ = std::log(share / other);
  test.for_changed_ = std::log((1 - share) / (1 - other));
  test.upper_ = std::log((1 - beta) / alpha) - test.for_agreed_ / 2;
  test.lower_ = std::log(beta / (1 - alpha));
  return test;
}

double SequentialTest::evidence() const {
  return static_cast<double>(agreed_) * for_agreed_ + static_cast<double>(changed_) * for_changed_;
}

SequentialAnswer SequentialTest::add(bool agrees) {
  if (answer_ != SequentialAnswer::undecided) return answer_;
  ++(agrees ? agreed_ : changed_);
  if (evidence() >= upper_) answer_ = SequentialAnswer::holds;
  if (evidence() <= lower_) answer_ = SequentialAnswer::fails;
  return answer_;
}

std::int64_t SequentialTest::least_samples() const {
  return static_cast<std::int64_t>(std::ceil(upper_ / for_agreed_));
}

}  // namespace culprit
