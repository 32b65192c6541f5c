#include "check/external/look_inside.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

bool is_right(const VariantResult& result, bool strict) {
  const auto is_fine = [&](const VariantResult& one) {
    return (verdict_of(one) == Verdict::equivalent || verdict_of(one) == Verdict::deviates) &&
           !is_fault(verdict_of(one), strict);
  };
  return is_fine(result) && (!result.deployed || is_fine(*result.deployed)) && !result.judgement.measurements.empty();
}

bool parts(const CompareReport& report) { return report.status == CompareStatus::part && !report.remade.empty(); }

/// What the nodes make of the model's values is what counts.
void restate(VariantResult& result, const CompareReport& inside) {
  Judgement& judgement = result.judgement;
  Comparison comparison;
  comparison.measurements = inside.remade;
  comparison.samples = inside.inner_samples.size();
  for (const std::size_t sample : inside.inner_samples) comparison.faulty.push_back(sample);
  judgement.verdict = inside.verdict;
  judgement.message = describe(comparison) + ", where its nodes are given the model's own values";
  for (const auto& [output, m] : inside.remade) judgement.measurements[output] = m;
  judgement.faulty = comparison.faulty;
  judgement.shown_in = comparison.faulty.empty() ? 0 : comparison.faulty.front();
}

Result<void> confirm(const LookInside& look, const Variant& variant, const Reference& reference) {
  variant.result->asked = reference.options.confirmations;
  for (int i = 0; i < variant.result->asked; ++i) {
    const auto again = look(reference, variant.outcome.file, true);
    if (!again) return tl::unexpected(again.error());
    if (*again && parts(**again)) ++variant.result->confirmed;
  }
  return {};
}

}  // namespace

Result<void> look_inside(const LookInside& look, const JudgedVariants& variants, const Reference& reference,
                         std::vector<Warning>& warnings) {
  for (const Variant& variant : variants.all()) {
    if (!variant.result || variant.outcome.file.empty()) continue;
    if (!is_right(*variant.result, reference.options.strict)) continue;
    const auto inside = look(reference, variant.outcome.file, false);
    if (!inside) return tl::unexpected(inside.error());
    if (!*inside) continue;
    std::ranges::copy_if((*inside)->warnings, std::back_inserter(warnings), [](const Warning& warning) {
      return warning.code == "same_bits_of_other_nodes" || warning.code == "nodes_not_asked";
    });
    if ((*inside)->status == CompareStatus::not_reached) warnings.push_back({not_reached_code, (*inside)->message});
    if (!parts(**inside)) continue;
    restate(*variant.result, **inside);
    if (auto ok = confirm(look, variant, reference); !ok) return ok;
  }
  return {};
}

}  // namespace culprit
