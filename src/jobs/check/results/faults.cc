#include "check/results/faults.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "trial/failure_signature.h"

namespace culprit {
namespace {

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::vector<std::string> head(words.begin(), words.end() - 1);
  return join(head, ", ") + " and " + words.back();
}

class FaultFinder {
 public:
  FaultFinder(const JudgedVariants& variants, const std::vector<Explanation>& explanations,
              const std::vector<std::string>& ids, std::size_t samples)
      : variants_(variants), explanations_(explanations), ids_(ids), samples_(samples) {}

  std::vector<FaultRecord> find() {
    find_control();
    find_singles();
    for (const Explanation& explanation : explanations_) explain(explanation);
    number();
    return std::move(faults_);
  }

 private:
  [[nodiscard]] const Variant& variant(std::size_t i) const { return variants_.all()[i]; }

  [[nodiscard]] const Judgement& judgement_of(const Variant& failing) const {
    return variants_.failing(failing)->judgement;
  }

  /// What happens, and where it takes the runtime's optimizations to happen, the whole evidence for that.
  [[nodiscard]] std::string told(const Variant& failing) const {
    const Judgement& judgement = judgement_of(failing);
    if (!variants_.fails_deployed(failing)) return judgement.message;
    return variants_.deploy_level().told(judgement, failing.plan.contract);
  }

  FaultRecord& fault_for(const Variant& failing, std::vector<std::string> culprits, FaultKind kind) {
    const Judgement& judgement = judgement_of(failing);
    const bool deployed = variants_.fails_deployed(failing);
    const std::string signature = signature_of(judgement.verdict, join(culprits, ","), failing.outcome.ops_changed,
                                               judgement.error, deployed ? variants_.deploy_level().level() : "");
    for (FaultRecord& fault : faults_) {
      if (fault.signature == signature) return fault;
    }
    FaultRecord fault;
    fault.verdict = judgement.verdict;
    fault.kind = deployed && kind != FaultKind::control ? FaultKind::runtime : kind;
    fault.attribution = deployed ? Attribution::runtime : Attribution::optimizer;
    fault.signature = signature;
    fault.message = listed(culprits) + ": " + told(failing);
    fault.culprits = std::move(culprits);
    return faults_.emplace_back(std::move(fault));
  }

  void find_control() {
    if (variants_.import().failure.failed()) return find_import();
    if (!variants_.is_faulty(variants_.round_trip())) return;
    const std::string name(name_of(ControlName::round_trip));
    FaultRecord& fault = fault_for(variants_.round_trip(), {name}, FaultKind::control);
    fault.control = ControlName::round_trip;
    for (std::size_t i = 0; i < variants_.all().size(); ++i) {
      if (!ids_[i].empty() && variants_.follows_round_trip(variant(i))) fault.variants.push_back(ids_[i]);
    }
  }

  void find_import() {
    const VariantResult& result = variants_.import_result();
    if (result.asked > 0 && result.confirmed == 0) return;
    if (!is_fault(result.judgement.verdict, false)) return;
    FaultRecord fault;
    fault.verdict = result.judgement.verdict;
    const std::string name(name_of(ControlName::import));
    fault.kind = FaultKind::control;
    fault.control = ControlName::import;
    fault.culprits = {name};
    fault.signature = signature_of(fault.verdict, name, {}, result.judgement.error);
    fault.message = name + ": " + result.judgement.message;
    faults_.push_back(std::move(fault));
  }

  void find_singles() {
    for (std::size_t i = 0; i < variants_.all().size(); ++i) {
      if (ids_[i].empty() || !is_single(variant(i)) || !blames_passes(variants_, variant(i))) continue;
      fault_for(variant(i), variant(i).plan.recipe.passes, FaultKind::single).variants.push_back(ids_[i]);
    }
  }

  /// What the failure of the recipe is made of: passes that fail alone, and passes that fail together.
  void explain(const Explanation& explanation) {
    if (explanation.safe == explanation.recipe) return say_only_alone(explanation);
    if (blames_passes(variants_, variant(explanation.recipe))) {
      for (const std::size_t i : shown_in(explanation)) faults_[i].variants.push_back(ids_[explanation.recipe]);
    }
    const std::size_t singles = faults_.size();
    for (std::size_t k = 0; k < explanation.shown_by.size(); ++k) interaction(explanation, k);
    for (std::size_t i = 0; i < faults_.size(); ++i) {
      if (i < singles && !is_of(faults_[i], explained_by(explanation))) continue;
      if (!faults_[i].workaround.empty()) continue;  // of what users run
      faults_[i].workaround = workaround(explanation);
      if (!explanation.safe) continue;
      faults_[i].to_disable = variant(*explanation.safe).plan.recipe.disabled;
      faults_[i].to_run = variant(*explanation.safe).plan.recipe.command;
    }
    list_recipe_somewhere(explanation);
  }

  /// A recipe may fail in a way of its own that its culprits alone do not show: without them it was right.
  void list_recipe_somewhere(const Explanation& explanation) {
    const std::string& id = ids_[explanation.recipe];
    const auto lists_it = [&](const FaultRecord& fault) { return holds(fault.variants, id); };
    if (!blames_passes(variants_, variant(explanation.recipe)) || std::ranges::any_of(faults_, lists_it)) return;
    for (FaultRecord& fault : faults_) {
      if (is_of(fault, explained_by(explanation))) fault.variants.push_back(id);
    }
  }

  /// The recipe as a whole is right, though passes of it fail alone.
  void say_only_alone(const Explanation& explanation) {
    const Variant& whole = variant(explanation.recipe);
    for (FaultRecord& fault : faults_) {
      if (fault.kind != FaultKind::single || !holds(whole.plan.recipe.passes, fault.culprits.front())) continue;
      fault.message += "; " + name_of(whole.plan) + " is not affected";
    }
  }

  [[nodiscard]] bool is_of(const FaultRecord& fault, const std::vector<std::size_t>& numbers) const {
    return std::ranges::any_of(numbers, [&](std::size_t i) { return holds(fault.variants, ids_[i]); });
  }

  /// The variants whose failures the recipe without the culprits was found to be free of.
  static std::vector<std::size_t> explained_by(const Explanation& explanation) {
    std::vector<std::size_t> numbers = explanation.failing;
    for (const Explanation::ShownBy& shown_by : explanation.shown_by) numbers.push_back(shown_by.minimal);
    return numbers;
  }

  /// The faults of the failing passes that look like the recipe's failure; if none does and passes do not fail together
  /// either, all of them.
  std::vector<std::size_t> shown_in(const Explanation& explanation) {
    std::vector<std::size_t> all, alike;
    for (std::size_t f = 0; f < faults_.size(); ++f) {
      for (const std::size_t i : explanation.failing) {
        if (!holds(faults_[f].variants, ids_[i])) continue;
        all.push_back(f);
        if (is_alike(variant(i), variant(explanation.recipe))) alike.push_back(f);
        break;
      }
    }
    return alike.empty() && explanation.shown_by.empty() ? all : alike;
  }

  [[nodiscard]] bool is_alike(const Variant& one, const Variant& other) const {
    return answer_of(variants_, one) == answer_of(variants_, other);
  }

  [[nodiscard]] std::string workaround(const Explanation& explanation) const {
    if (!explanation.safe) return "";
    const auto& recipe = variant(explanation.recipe).plan.recipe.passes;
    std::vector<std::string> skipped;
    for (const LeftOutPlace& left_out : explanation.search.left_out) {
      if (!holds(skipped, recipe[left_out.place])) skipped.push_back(recipe[left_out.place]);
    }
    const PlannedVariant& plan = variant(explanation.recipe).plan;
    std::string text = "skip " + listed(skipped) + ": " + kind_of(plan.recipe, plan.is_bundle) + " without " +
                       (skipped.size() > 1 ? "them " : "it ");
    if (variants_.verdict_on(variant(*explanation.safe)) == Verdict::unchanged)
      return text + "leaves the model as it is";
    if (samples_ == 0) return text + "shows no fault, but the data are too weak to verify its values";
    return text + "was verified on " + std::to_string(samples_) + (samples_ == 1 ? " sample" : " samples");
  }

  void interaction(const Explanation& explanation, std::size_t number) {
    const auto& [minimal, found_in] = explanation.search.interactions[number];
    const Explanation::ShownBy& shown_by = explanation.shown_by[number];
    const Variant& failing = variant(shown_by.minimal);
    const auto& passes = failing.plan.recipe.passes;
    const bool is_single_pass = minimal.confirmed && passes.size() == 1;
    FaultRecord& fault = fault_for(failing, minimal.confirmed ? passes : suspects(failing),
                                   is_single_pass ? FaultKind::single : FaultKind::interaction);
    if (!is_single_pass) fault.message = together(minimal, failing) + told(failing);
    fault.variants.push_back(ids_[shown_by.minimal]);
    for (const std::size_t whole : {explanation.recipe, shown_by.found_in}) {
      if (!ids_[whole].empty() && is_alike(variant(whole), failing)) fault.variants.push_back(ids_[whole]);
    }
  }

  /// "a then b: fails together, though neither does alone: "
  [[nodiscard]] static std::string together(const MinimalFailure& minimal, const Variant& failing) {
    const auto& passes = failing.plan.recipe.passes;
    if (!minimal.confirmed) {
      return name_of(failing.plan) + " fails, though none of its passes does alone, and no smaller part of it failed " +
             "again in a fresh process: ";
    }
    if (!minimal.complete) {
      return listed(passes) + ": at most these fail together (the search for fewer was cut short): ";
    }
    const std::string alone = passes.size() == 2 ? "neither does alone" : "no part of it does";
    if (minimal.order == MinimalFailure::Order::none) return listed(passes) + ": fail together, though " + alone + ": ";
    if (minimal.order == MinimalFailure::Order::either) {
      return listed(passes) + ": fail together in either order, though " + alone + ": ";
    }
    const bool matters = minimal.order == MinimalFailure::Order::matters;
    return join(passes, " then ") + ": fails together, though " + alone +
           (matters ? " (nor does the reverse order): " : ": ");
  }

  /// The passes of the recipe that change something alone: only they can have begun it. All, where that tells nothing.
  [[nodiscard]] std::vector<std::string> suspects(const Variant& failing) const {
    std::vector<std::string> suspects;
    for (const Variant& other : variants_.all()) {
      if (!is_single(other) || other.same_as == SameAs::original || other.same_as == SameAs::round_trip) continue;
      const std::string& pass = other.plan.recipe.passes.front();
      if (holds(failing.plan.recipe.passes, pass) && !holds(suspects, pass)) suspects.push_back(pass);
    }
    return suspects.size() < 2 ? failing.plan.recipe.passes : suspects;
  }

  void number() {
    for (std::size_t i = 0; i < faults_.size(); ++i) {
      faults_[i].id = "F" + std::to_string(i + 1);
      auto& variants = faults_[i].variants;
      std::ranges::sort(variants);
      variants.erase(std::unique(variants.begin(), variants.end()), variants.end());
    }
  }

  const JudgedVariants& variants_;
  const std::vector<Explanation>& explanations_;
  const std::vector<std::string>& ids_;
  std::size_t samples_;
  std::vector<FaultRecord> faults_;
};

}  // namespace

std::vector<FaultRecord> find_faults(const JudgedVariants& variants, const std::vector<Explanation>& explanations,
                                     const std::vector<std::string>& ids, std::size_t samples) {
  return FaultFinder(variants, explanations, ids, samples).find();
}

}  // namespace culprit
