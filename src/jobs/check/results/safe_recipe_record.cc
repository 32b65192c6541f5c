#include "check/results/safe_recipe_record.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

using Why = LeftOutPlace::Why;

class Writer {
 public:
  Writer(const JudgedVariants& variants, const Explanation& explanation, const std::vector<FaultRecord>& faults,
         const std::vector<std::string>& ids)
      : variants_(variants), explanation_(explanation), faults_(faults), ids_(ids) {}

  [[nodiscard]] SafeRecipe write(const Reference& reference, const CheckOptions& options) const {
    SafeRecipe safe;
    safe.recipe = whole().plan.recipe;
    safe.recipe.passes = passes_at(recipe(), explanation_.search.kept);
    if (explanation_.safe) safe.recipe = variant(*explanation_.safe).plan.recipe;
    for (const LeftOutPlace& one : explanation_.search.left_out) safe.left_out.push_back(left_out(one));
    safe.verified = explanation_.safe.has_value();
    if (safe.verified) {
      safe.samples = static_cast<std::int64_t>(reference.samples.size());
      safe.levels = {std::string(name_of(reference.session.level))};
      if (runs_in_session(safe.recipe))
        safe.levels = {safe.recipe.level};
      else if (is_right_deployed(variant(*explanation_.safe)))
        safe.levels.push_back(variants_.deploy_level().level());
    } else {
      safe.message = message(options);
    }
    return safe;
  }

 private:
  [[nodiscard]] const Variant& variant(std::size_t i) const { return variants_.all()[i]; }
  [[nodiscard]] const Variant& whole() const { return variant(explanation_.recipe); }
  [[nodiscard]] const Passes& recipe() const { return whole().plan.recipe.passes; }

  /// Was it seen to be right at the deploy level on all samples, by itself or as the round trip or the original?
  [[nodiscard]] bool is_right_deployed(const Variant& safe) const {
    const bool is_run_there = variants_.deploy_level().judges();
    if (!is_run_there || safe.same_as == SameAs::original) return is_run_there;
    const auto& result = safe.same_as == SameAs::round_trip ? variants_.round_trip().result : safe.result;
    if (result == nullptr) return true;  // the round trip is the original
    return variants_.deploy_level().is_right_on_all(*result) && !variants_.is_faulty(safe);
  }

  /// "diverged alone: output 'y' differs by 1.8 (F1)"
  [[nodiscard]] LeftOut left_out(const LeftOutPlace& one) const {
    const std::string& pass = recipe()[one.place];
    if (one.why == Why::unfit) return {pass, "gives half a model by design"};
    const std::size_t shown_by =
        one.why == Why::alone ? failing_with(pass) : explanation_.shown_by[one.interaction].minimal;
    const Variant& failing = variant(shown_by);
    const std::string others = others_of(failing, pass);
    const std::string how = others.empty() ? "alone" : "together with " + others;
    const VariantResult& result = *variants_.failing(failing);
    const std::string level = variants_.fails_deployed(failing) ? " at " + variants_.deploy_level().level() : "";
    return {pass, std::string(reader_word(verdict_of(result))) + level + " " + how + ": " + result.judgement.message +
                      fault_of(shown_by, failing)};
  }

  [[nodiscard]] std::size_t failing_with(const std::string& pass) const {
    const auto& failing = explanation_.failing;
    return *std::ranges::find_if(failing, [&](std::size_t i) { return variant(i).plan.recipe.passes.front() == pass; });
  }

  [[nodiscard]] static std::string others_of(const Variant& failing, const std::string& pass) {
    Passes others = failing.plan.recipe.passes;
    others.erase(std::ranges::find(others, pass));
    return join(others, ", ");
  }

  [[nodiscard]] std::string fault_of(std::size_t shown_by, const Variant& failing) const {
    for (const FaultRecord& fault : faults_) {
      const bool is_it = holds(fault.variants, ids_[shown_by]) && fault.culprits == failing.plan.recipe.passes;
      if (is_it) return " (" + fault.id + ")";
    }
    return "";
  }

  [[nodiscard]] std::string message(const CheckOptions& options) const {
    switch (explanation_.search.end) {
      case SafeSearch::End::verified:
        return "";
      case SafeSearch::End::nothing_left:
        return recipe().size() == 1 ? is_of_program(whole().plan.recipe) ? "its only step fails" : "the only pass fails"
                                    : "every part of " + name_of(whole().plan) + " that was tried fails";
      case SafeSearch::End::comes_and_goes:
        return "what is left fails, but no part of it does so twice: the culprits cannot be told";
      case SafeSearch::End::cut_short:
        return "the search was cut short after " + std::to_string(options.most_trials) + " pass lists";
      case SafeSearch::End::out_of_time:
        return "the search was cut short, for the time was up";
      case SafeSearch::End::unclear:
        break;
    }
    if (variants_.is_faulty(variants_.round_trip())) {
      return is_of_program(whole().plan.recipe)
                 ? "with all of its steps left out it is at fault as well: no pass list was found that is not"
                 : "the optimizer's import and export alone are at fault: no pass list was found that is not";
    }
    return "what is left could not be verified" + why_unclear();
  }

  [[nodiscard]] std::string why_unclear() const {
    const Passes left = passes_at(recipe(), explanation_.search.kept);
    for (const Variant& variant : variants_.all()) {
      if (variant.plan.recipe.passes == left && variant.result && !variant.result->judgement.message.empty())
        return ": " + variant.result->judgement.message;
    }
    return "";
  }

  const JudgedVariants& variants_;
  const Explanation& explanation_;
  const std::vector<FaultRecord>& faults_;
  const std::vector<std::string>& ids_;
};

}  // namespace

SafeRecipe safe_recipe_record(const JudgedVariants& variants, const Explanation& explanation,
                              const std::vector<FaultRecord>& faults, const std::vector<std::string>& ids,
                              const Reference& reference, const CheckOptions& options) {
  return Writer(variants, explanation, faults, ids).write(reference, options);
}

SafeRecipe unverified_recipe(const Recipe& recipe, const ModelReport& report) {
  SafeRecipe safe;
  safe.recipe = recipe;
  const bool is_judged = report.baseline.status == BaselineStatus::ok;
  safe.message = is_judged ? "nothing could be verified: the optimizer does not import the model"
                           : "nothing could be verified: " + report.baseline.message;
  return safe;
}

}  // namespace culprit
