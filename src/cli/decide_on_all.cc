#include "cli/decide_on_all.h"

#include "base/text.h"
#include "check/decisions/decision_scan.h"
#include "compare/bind_models.h"

namespace culprit {
namespace {

Result<ScannedVariant> scan(const BothDecide& both) {
  const auto binding = bind_models(both.reference.model.interface, both.b.interface, both.map);
  if (!binding) return tl::unexpected(binding.error());
  if (binding->outputs.size() < both.reference.model.interface.outputs.size())
    return fail(ErrorKind::unsupported, "some outputs of A stand for none of B");
  const RunnableVariant variant{both.b.path,
                                Contract::equivalent,
                                {binding->inputs, places_of_outputs(*binding, both.b.interface), false},
                                binding->inputs};
  DecisionScan scan(both.dispatcher, both.data, both.level, both.work / "outputs" / "decisions",
                    [&](std::int64_t done, std::int64_t total) {
                      both.progress(static_cast<std::size_t>(done), static_cast<std::size_t>(total),
                                    "samples, decisions");
                    });
  return scan.choose_task(both.reference).and_then([&] { return scan.scan(both.reference, variant); });
}

}  // namespace

Result<void> decide_on_all(const BothDecide& both, CompareReport& report) {
  auto scanned = scan(both);
  if (!scanned) {
    auto warning = decisions_not_judged(scanned.error());
    if (!warning) return tl::unexpected(warning.error());
    report.warnings.push_back(std::move(*warning));
    return {};
  }
  if (!scanned->beyond.empty())
    report.warnings.push_back({"other_decisions", "B decides otherwise where rounding does not, for example on '" +
                                                      printable(both.data.source.name(scanned->beyond.front()), 200) +
                                                      "'"});
  report.decisions = std::move(scanned->record);
  return {};
}

}  // namespace culprit
