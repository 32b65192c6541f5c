#include "compare/conclude.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

/// Where outputs say nothing, a value inside that is wrong beyond the tolerance is a difference all the same.
bool parts_inside(const CompareReport& report, const ComparedFacts& facts) {
  return !facts.weak.empty() && std::ranges::any_of(report.values, [](const ComparedValue& value) {
    return value.state == ValueState::made_here && verdict_of(value.measurement) == Verdict::diverged;
  });
}

void tell_lost_outputs(CompareReport& report) {
  report.verdict = Verdict::interface_changed;
  report.status = CompareStatus::part;
  report.first_divergence.reset();
  report.message = "B lacks an output of A: " + join(report.unbound, ", ") +
                   "; what both have is the same. --map A_NAME=B_NAME says which are to be compared";
}

void tell_where_they_part(CompareReport& report, const ComparedFacts& facts) {
  if (!facts.are_onnx) {
    report.message = "culprit diagnose finds the layer of the first mismatch";
  } else if (!facts.has_common) {
    report.first_divergence.reset();
    report.message =
        "but for their inputs and outputs the two have nothing in common, so the first mismatch cannot be found";
  } else if (report.first_divergence) {
    report.message = report.first_divergence->message;
  } else {
    const bool is_inherited = std::ranges::any_of(
        report.values, [](const ComparedValue& value) { return value.state == ValueState::inherited; });
    report.message = is_inherited
                         ? "no first mismatch was found: those that differ follow from values before them, which "
                           "differ by no more than the expected rounding error"
                         : "no first mismatch was found: none differs that could be made again from A's values";
  }
}

}  // namespace

void conclude(CompareReport& report, const ComparedFacts& facts) {
  if (facts.has_lost_outputs && !is_fault(report.verdict, facts.strict)) return tell_lost_outputs(report);
  const bool parts = is_fault(report.verdict, facts.strict) || parts_inside(report, facts);
  report.status = parts ? CompareStatus::part : CompareStatus::same;
  if (!parts && !facts.weak.empty()) {
    report.status = CompareStatus::weak_data;
    report.message = facts.weak;
  }
  if (!parts && report.first_divergence && facts.weak.empty())
    report.message = "within the tolerance: " + report.first_divergence->message;
  if (report.status == CompareStatus::same && !facts.beside_limits.empty()) {
    report.status = CompareStatus::not_reached;
    report.message = text_of(facts.beside_limits) +
                     ". Their limits differ, and no sample reaches a value that tells them "
                     "apart: give such values with --data or --input";
  }
  if (parts) tell_where_they_part(report, facts);
}

}  // namespace culprit
