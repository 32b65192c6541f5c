#include "evaluate/sure_tests.h"

#include <algorithm>

namespace culprit {
namespace {

SureAnswer answer_of(SequentialAnswer answer) {
  switch (answer) {
    case SequentialAnswer::holds:
      return SureAnswer::holds;
    case SequentialAnswer::fails:
      return SureAnswer::fails;
    default:
      return SureAnswer::undecided;
  }
}

}  // namespace

Result<SureTests> SureTests::of(std::pair<double, double> sure_of, std::size_t rows, const DecisionTask& task) {
  SureTests tests;
  const auto [share, delta] = sure_of;
  if (share == 0) return tests;
  if (rows < 2)
    return fail(ErrorKind::usage, "--stop-when-sure needs two models: how often does one agree with the other?");
  if (!task.traits().counts_decisions)
    return fail(ErrorKind::usage, "--stop-when-sure counts decisions, and the task " + task.name() + " knows none",
                "--task says what is read off the outputs");
  tests.tests_.reserve(rows - 1);
  for (std::size_t row = 1; row < rows; ++row) {
    auto made = SequentialTest::of(share, delta);
    if (!made) return tl::unexpected(made.error());
    tests.tests_.push_back({*made, {.share = share, .delta = delta}});
  }
  return tests;
}

bool SureTests::add(std::size_t row, bool is_changed) {
  if (row == 0) return false;
  auto& [test, sure] = tests_[row - 1];
  if (sure.answer == SureAnswer::undecided) {
    sure.answer = answer_of(test.add(!is_changed));
    sure.samples = test.samples();
  }
  return std::ranges::none_of(tests_, [](const auto& one) { return one.second.answer == SureAnswer::undecided; });
}

std::optional<SureEnough> SureTests::of_row(std::size_t row) const {
  return row > 0 && is_asked() ? std::optional(tests_[row - 1].second) : std::nullopt;
}

}  // namespace culprit
