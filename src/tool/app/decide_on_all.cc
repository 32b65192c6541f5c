#include "app/decide_on_all.h"

#include "base/text.h"
#include "check/decisions/decision_scan.h"
#include "check/decisions/judge_apart.h"
#include "model/bind_models.h"
#include "task/decision_warnings.h"

namespace culprit {
namespace {

class DecidingOnAll {
 public:
  explicit DecidingOnAll(const BothDecide& both)
      : both_(both),
        scan_(both.dispatcher, both.data, both.level, both.work / "outputs" / "decisions",
              [&both](std::int64_t done, std::int64_t total) {
                both.progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total), "samples, decisions");
              }) {}

  Result<DecidedOnAll> run() {
    if (!both_.other) return tl::unexpected(both_.other.error());
    if (auto ok = scan_.choose_task(both_.reference); !ok) return tl::unexpected(ok.error());
    auto scanned = scan_.scan(both_.reference, **both_.other);
    if (!scanned) return tl::unexpected(scanned.error());
    DecidedOnAll decided;
    decided.decisions = scanned->record;
    decided.telling = telling_samples(*scanned);
    const DecisionRecord& decisions = scanned->record.decisions;
    for (const auto& warnings :
         {decision_warnings(decisions, both_.name, both_.name_of_other), label_warnings(decisions)})
      decided.warnings.insert(decided.warnings.end(), warnings.begin(), warnings.end());
    if (!scanned->beyond.empty()) decided.warnings.push_back(other_decisions(scanned->beyond.front()));
    if (!both_.is_judged) return decided;
    auto apart = judge(*scanned);
    if (!apart) return tl::unexpected(apart.error());
    decided.apart = std::move(*apart);
    return decided;
  }

 private:
  [[nodiscard]] Warning other_decisions(std::int64_t sample) const {
    return {"other_decisions", both_.name_of_other +
                                   " gives another prediction where rounding alone does not, for example for '" +
                                   printable(both_.data.source.name(sample), 200) + "'"};
  }

  /// By the rule of `check`.
  Result<std::string> judge(const ScannedVariant& scanned) {
    return judge_apart(both_.dispatcher, {both_.reference, both_.data.source, scanned, scan_.task(), *both_.other,
                                          "of-the-data-set", both_.work / "outputs" / "other-apart"})
        .map([](const std::string& against) { return against.empty() ? "" : "on all of the data: " + against; });
  }

  const BothDecide& both_;
  DecisionScan scan_;
};

}  // namespace

Result<DecidedOnAll> decide_on_all(const BothDecide& both) {
  auto decided = DecidingOnAll(both).run();
  if (decided) return decided;
  auto warning = decisions_not_judged(decided.error());
  if (!warning) return tl::unexpected(warning.error());
  return DecidedOnAll{std::nullopt, {std::move(*warning)}, {}, ""};
}

Result<RunnablePtr> bound_to(const Model& a, const Model& b, const std::vector<std::string>& map) {
  auto binding = bind_models(a.interface, b.interface, map);
  if (!binding) return tl::unexpected(binding.error());
  if (binding->outputs.size() < a.interface.outputs.size())
    return fail(ErrorKind::unsupported, "some outputs of A stand for none of B");
  return std::make_shared<const RunnableVariant>(
      RunnableVariant{b.path,
                      Contract::interface,
                      {binding->inputs, places_of_outputs(*binding, b.interface), false},
                      binding->inputs,
                      renamed_outputs(*binding)});
}

}  // namespace culprit
