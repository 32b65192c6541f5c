#include "cli/decide_on_all.h"

#include "base/text.h"
#include "check/decisions/decision_scan.h"
#include "check/decisions/judge_apart.h"
#include "compare/bind_models.h"
#include "task/decision_warnings.h"

namespace culprit {
namespace {

/// B, bound to A as `compare` binds them; numbers of B's outputs get A's type.
Result<RunnablePtr> bound(const BothDecide& both) {
  auto binding = bind_models(both.reference.model.interface, both.b.interface, both.map);
  if (!binding) return tl::unexpected(binding.error());
  if (binding->outputs.size() < both.reference.model.interface.outputs.size())
    return fail(ErrorKind::unsupported, "some outputs of A stand for none of B");
  return std::make_shared<const RunnableVariant>(
      RunnableVariant{both.b.path,
                      Contract::interface,
                      {binding->inputs, places_of_outputs(*binding, both.b.interface), false},
                      binding->inputs});
}

class DecidingOnAll {
 public:
  explicit DecidingOnAll(const BothDecide& both)
      : both_(both),
        scan_(both.dispatcher, both.data, both.level, both.work / "outputs" / "decisions",
              [&both](std::int64_t done, std::int64_t total) {
                both.progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total), "samples, decisions");
              }) {}

  Result<void> run(CompareReport& report) {
    const auto b = bound(both_);
    if (!b) return tl::unexpected(b.error());
    if (auto ok = scan_.choose_task(both_.reference); !ok) return ok;
    auto scanned = scan_.scan(both_.reference, **b);
    if (!scanned) return tl::unexpected(scanned.error());
    report.decisions = scanned->record;
    const DecisionRecord& decisions = scanned->record.decisions;
    for (const auto& warnings : {decision_warnings(decisions, "A", "B"), label_warnings(decisions)})
      report.warnings.insert(report.warnings.end(), warnings.begin(), warnings.end());
    const bool is_judged = report.status == CompareStatus::same || report.status == CompareStatus::not_reached ||
                           report.status == CompareStatus::weak_data;
    if (!scanned->beyond.empty()) warn(report, scanned->beyond.front());
    return is_judged ? judge(*scanned, *b, report) : Result<void>();
  }

 private:
  void warn(CompareReport& report, std::int64_t sample) const {
    report.warnings.push_back({"other_decisions", "B decides otherwise where rounding does not, for example on '" +
                                                      printable(both_.data.source.name(sample), 200) + "'"});
  }

  /// By the rule of `check`.
  Result<void> judge(const ScannedVariant& scanned, const RunnablePtr& b, CompareReport& report) {
    auto against = judge_apart(both_.dispatcher, {both_.reference, both_.data.source, scanned, scan_.task(), b,
                                                  "of-the-data-set", both_.work / "outputs" / "b-apart"});
    if (!against) return tl::unexpected(against.error());
    if (against->empty()) return {};
    report.status = CompareStatus::part;
    report.verdict = Verdict::diverged;
    report.message = "on all of the data: " + *against;
    return {};
  }

  const BothDecide& both_;
  DecisionScan scan_;
};

}  // namespace

Result<void> decide_on_all(const BothDecide& both, CompareReport& report) {
  const auto decided = DecidingOnAll(both).run(report);
  if (decided) return {};
  auto warning = decisions_not_judged(decided.error());
  if (!warning) return tl::unexpected(warning.error());
  report.warnings.push_back(std::move(*warning));
  return {};
}

}  // namespace culprit
