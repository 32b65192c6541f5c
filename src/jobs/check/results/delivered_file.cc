#include "check/results/delivered_file.h"

#include <algorithm>

namespace culprit {

namespace fs = std::filesystem;

Result<void> DeliveredFile::verify(const fs::path& file, Delivery& delivery) const {
  delivery.verified = true;
  if (runs_in_session(safe.recipe)) return verify_saved(file, delivery);
  const auto is_safe_at = [this](const std::string& level) {
    return std::ranges::find(safe.levels, level) != safe.levels.end();
  };
  auto verified = variants.verify(variant, file, [&](const Judgement& judgement, const std::string& level) {
    const bool is_wrong = is_fault(judgement.verdict, reference.options.strict) ||
                          (judgement.verdict == Verdict::inconclusive && is_safe_at(level));
    if (!is_wrong) return;
    delivery.verified = false;
    delivery.message = std::string(reader_word(judgement.verdict)) + " at " + level + ": " + judgement.message;
  });
  if (!verified || !delivery.verified) return verified;
  delivery.samples = safe.samples;
  delivery.levels = safe.levels;
  return {};
}

/// A file that a session of the runtime saved is right with optimizations off. With them on, the step that was left
/// out may come again: it is held against the model as it is, for the model itself is wrong there.
Result<void> DeliveredFile::verify_saved(const fs::path& file, Delivery& delivery) const {
  const auto wrong = [this](const Judgement& judgement) {
    const bool is_wrong =
        is_fault(judgement.verdict, reference.options.strict) || judgement.verdict == Verdict::inconclusive;
    return is_wrong ? std::string(reader_word(judgement.verdict)) + ": " + judgement.message : "";
  };
  const Level off = reference.session.level, on = reference.options.deploy_level;
  std::string when_off, when_on;
  auto verified = variants.verify_at({{off, [&](const Judgement& judgement) { when_off = wrong(judgement); }},
                                      {on, [&](const Judgement& judgement) { when_on = wrong(judgement); }}},
                                     variant, file);
  if (!verified) return verified;
  delivery.verified = when_off.empty();
  if (!delivery.verified) {
    delivery.message = std::string(name_of(off)) + ": " + when_off;
    return {};
  }
  delivery.samples = safe.samples;
  delivery.levels = {std::string(name_of(off))};
  if (when_on.empty()) delivery.levels.emplace_back(name_of(on));
  delivery.when_optimized_again = when_on;
  return {};
}

SafeRecipe right_everywhere(const Variant& variant, const JudgedVariants& variants, const Reference& reference) {
  SafeRecipe safe;
  safe.recipe = variant.plan.recipe;
  safe.verified = true;
  safe.samples = static_cast<std::int64_t>(reference.samples.size());
  safe.levels = {std::string(name_of(reference.session.level))};
  if (variants.deploy_level().judges()) safe.levels.push_back(variants.deploy_level().level());
  return safe;
}

Delivery without_file(ModelReport report, const Variant& safe) {
  Delivery delivery;
  delivery.message = "the runtime saved no model: " + safe.outcome.failure.message;
  delivery.report = std::move(report);
  return delivery;
}

}  // namespace culprit
