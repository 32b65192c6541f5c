#include "check/safe_record.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

using Why = LeftOutPlace::Why;

class Writer {
 public:
  Writer(const Study& study, const Explanation& explanation, const std::vector<FaultRecord>& faults,
         const std::vector<std::string>& ids)
      : study_(study), explanation_(explanation), faults_(faults), ids_(ids) {}

  [[nodiscard]] SafeRecipe write(const Basis& basis) const {
    SafeRecipe safe;
    safe.recipe = whole().plan.recipe;
    safe.recipe.passes = passes_at(recipe(), explanation_.search.kept);
    for (const LeftOutPlace& one : explanation_.search.left_out) safe.left_out.push_back(left_out(one));
    safe.verified = explanation_.safe.has_value();
    if (safe.verified) {
      safe.samples = static_cast<std::int64_t>(basis.samples.size());
      safe.levels = {std::string(name_of(basis.session.level))};
      if (is_right_deployed(attempt(*explanation_.safe))) safe.levels.push_back(study_.deployment().level());
    } else {
      safe.message = message(basis.options);
    }
    return safe;
  }

 private:
  [[nodiscard]] const Attempt& attempt(std::size_t i) const { return study_.attempts()[i]; }
  [[nodiscard]] const Attempt& whole() const { return attempt(explanation_.recipe); }
  [[nodiscard]] const Passes& recipe() const { return whole().plan.recipe.passes; }

  /// Was it seen to be right at the deploy level on all samples, by itself or as the round trip or the original?
  [[nodiscard]] bool is_right_deployed(const Attempt& safe) const {
    const bool is_run_there = study_.deployment().judges();
    if (!is_run_there || safe.same_as == "original") return is_run_there;
    const auto& finding = safe.same_as == "round_trip" ? study_.round_trip().finding : safe.finding;
    if (finding == nullptr) return true;  // the round trip is the original
    return study_.deployment().is_right_on_all(*finding) && !study_.is_faulty(safe);
  }

  /// "diverged alone: output 'y' differs by 1.8 (F1)"
  [[nodiscard]] LeftOut left_out(const LeftOutPlace& one) const {
    const std::string& pass = recipe()[one.place];
    if (one.why == Why::unfit) return {pass, "gives half a model by design"};
    const std::size_t shown_by =
        one.why == Why::alone ? failing_with(pass) : explanation_.shown_by[one.interaction].minimal;
    const Attempt& failing = attempt(shown_by);
    const std::string others = others_of(failing, pass);
    const std::string how = others.empty() ? "alone" : "together with " + others;
    const Finding& finding = *study_.failing(failing);
    const std::string level = study_.fails_deployed(failing) ? " at " + study_.deployment().level() : "";
    return {pass, std::string(name_of(verdict_of(finding))) + level + " " + how + ": " + finding.judgement.message +
                      fault_of(shown_by, failing)};
  }

  [[nodiscard]] std::size_t failing_with(const std::string& pass) const {
    const auto& failing = explanation_.failing;
    return *std::ranges::find_if(failing, [&](std::size_t i) { return attempt(i).plan.recipe.passes.front() == pass; });
  }

  [[nodiscard]] static std::string others_of(const Attempt& failing, const std::string& pass) {
    Passes others = failing.plan.recipe.passes;
    others.erase(std::ranges::find(others, pass));
    return join(others, ", ");
  }

  [[nodiscard]] std::string fault_of(std::size_t shown_by, const Attempt& failing) const {
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
        return recipe().size() == 1 ? "the only pass fails"
                                    : "every part of " + name_of(whole().plan) + " that was tried fails";
      case SafeSearch::End::comes_and_goes:
        return "what is left fails, but no part of it does so twice: the culprits cannot be told";
      case SafeSearch::End::cut_short:
        return "the search was cut short after " + std::to_string(options.most_trials) + " recipes";
      case SafeSearch::End::unclear:
        break;
    }
    if (study_.is_faulty(study_.round_trip())) {
      return "the optimizer's import and export alone are at fault: no recipe was found that is not";
    }
    return "what is left could not be verified" + why_unclear();
  }

  [[nodiscard]] std::string why_unclear() const {
    const Passes left = passes_at(recipe(), explanation_.search.kept);
    for (const Attempt& attempt : study_.attempts()) {
      if (attempt.plan.recipe.passes == left && attempt.finding && !attempt.finding->judgement.message.empty())
        return ": " + attempt.finding->judgement.message;
    }
    return "";
  }

  const Study& study_;
  const Explanation& explanation_;
  const std::vector<FaultRecord>& faults_;
  const std::vector<std::string>& ids_;
};

}  // namespace

SafeRecipe safe_recipe_record(const Study& study, const Explanation& explanation,
                              const std::vector<FaultRecord>& faults, const std::vector<std::string>& ids,
                              const Basis& basis) {
  return Writer(study, explanation, faults, ids).write(basis);
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
