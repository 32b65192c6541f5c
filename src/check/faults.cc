#include "check/faults.h"

#include <algorithm>
#include <map>

#include "base/text.h"
#include "check/signature.h"

namespace culprit {
namespace {

bool is_single(const Attempt& attempt) { return attempt.plan.recipe.passes.size() == 1; }

bool blames_passes(const Study& study, const Attempt& attempt) {
  return study.is_faulty(attempt) && !study.follows_round_trip(attempt);
}

bool holds(const std::vector<std::string>& passes, const std::string& pass) {
  return std::ranges::find(passes, pass) != passes.end();
}

std::string listed(const std::vector<std::string>& words) {
  if (words.size() < 2) return words.empty() ? "" : words.front();
  const std::vector<std::string> head(words.begin(), words.end() - 1);
  return join(head, ", ") + " and " + words.back();
}

class FaultFinder {
 public:
  FaultFinder(const Study& study, const std::vector<Explanation>& explanations, const std::vector<std::string>& ids,
              std::size_t samples)
      : study_(study), explanations_(explanations), ids_(ids), samples_(samples) {}

  std::vector<FaultRecord> find() {
    find_control();
    find_singles();
    for (const Explanation& explanation : explanations_) explain(explanation);
    number();
    return std::move(faults_);
  }

 private:
  [[nodiscard]] const Attempt& attempt(std::size_t i) const { return study_.attempts()[i]; }

  [[nodiscard]] const Judgement& judgement_of(const Attempt& failing) const {
    return study_.failing(failing)->judgement;
  }

  /// What happens, and where it takes the runtime's optimizations to happen, the whole evidence for that.
  [[nodiscard]] std::string told(const Attempt& failing) const {
    const Judgement& judgement = judgement_of(failing);
    if (!study_.fails_deployed(failing)) return judgement.message;
    return study_.deployment().told(judgement, failing.plan.contract);
  }

  FaultRecord& fault_for(const Attempt& failing, std::vector<std::string> culprits, FaultKind kind) {
    const Judgement& judgement = judgement_of(failing);
    const bool deployed = study_.fails_deployed(failing);
    const std::string signature = signature_of(judgement.verdict, join(culprits, ","), failing.outcome.ops_changed,
                                               judgement.error, deployed ? study_.deployment().level() : "");
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
    if (study_.import().failure.failed()) return find_import();
    if (!study_.is_faulty(study_.round_trip())) return;
    FaultRecord& fault = fault_for(study_.round_trip(), {"round_trip"}, FaultKind::control);
    for (std::size_t i = 0; i < study_.attempts().size(); ++i) {
      if (study_.follows_round_trip(attempt(i))) fault.variants.push_back(ids_[i]);
    }
  }

  void find_import() {
    const Finding& finding = study_.import_finding();
    if (finding.asked > 0 && finding.confirmed == 0) return;
    if (!is_fault(finding.judgement.verdict, false)) return;
    FaultRecord fault;
    fault.verdict = finding.judgement.verdict;
    fault.kind = FaultKind::control;
    fault.culprits = {"import"};
    fault.signature = signature_of(fault.verdict, "import", {}, finding.judgement.error);
    fault.message = "import: " + finding.judgement.message;
    faults_.push_back(std::move(fault));
  }

  void find_singles() {
    for (std::size_t i = 0; i < study_.attempts().size(); ++i) {
      if (!is_single(attempt(i)) || !blames_passes(study_, attempt(i))) continue;
      fault_for(attempt(i), attempt(i).plan.recipe.passes, FaultKind::single).variants.push_back(ids_[i]);
    }
  }

  /// Where the rest of a recipe is clean, the single passes account for its failure; else passes act together.
  void explain(const Explanation& explanation) {
    const std::string& id = ids_[explanation.recipe];
    const bool rest_fails = explanation.rest && blames_passes(study_, attempt(*explanation.rest));
    if (explanation.failing.empty() || rest_fails) {
      const std::size_t shown_by = rest_fails ? *explanation.rest : explanation.recipe;
      FaultRecord& fault = interaction(attempt(shown_by));
      fault.variants.push_back(id);
      if (rest_fails) fault.variants.push_back(ids_[*explanation.rest]);
      return;
    }
    const bool rest_is_known = !explanation.rest || is_clean(attempt(*explanation.rest));
    for (FaultRecord* fault : shown_in(explanation)) {
      fault->variants.push_back(id);
      if (rest_is_known) fault->workaround = workaround(explanation);
    }
  }

  /// The faults of the failing passes that look like the recipe's failure; all of them, if none does.
  std::vector<FaultRecord*> shown_in(const Explanation& explanation) {
    std::vector<FaultRecord*> all, alike;
    const Judgement& whole = judgement_of(attempt(explanation.recipe));
    for (FaultRecord& fault : faults_) {
      for (const std::size_t i : explanation.failing) {
        if (!holds(fault.variants, ids_[i])) continue;
        const Judgement& own = judgement_of(attempt(i));
        all.push_back(&fault);
        if (own.verdict == whole.verdict && own.error == whole.error) alike.push_back(&fault);
        break;
      }
    }
    return alike.empty() ? all : alike;
  }

  [[nodiscard]] bool is_clean(const Attempt& rest) const {
    const Verdict verdict = study_.verdict_on(rest);
    if (verdict == Verdict::unchanged) return rest.same_as == "original" || !study_.is_faulty(study_.round_trip());
    return verdict != Verdict::inconclusive && !study_.is_faulty(rest);
  }

  [[nodiscard]] std::string workaround(const Explanation& explanation) const {
    if (!explanation.rest) return "";
    std::vector<std::string> skipped;
    for (const std::size_t i : explanation.failing) {
      if (!holds(skipped, attempt(i).plan.recipe.passes.front()))
        skipped.push_back(attempt(i).plan.recipe.passes.front());
    }
    const bool is_bundle = attempt(explanation.recipe).plan.is_bundle;
    std::string text = "skip " + listed(skipped) + ": the " + (is_bundle ? "bundle" : "recipe") + " without " +
                       (skipped.size() > 1 ? "them " : "it ");
    if (study_.verdict_on(attempt(*explanation.rest)) == Verdict::unchanged) return text + "leaves the model as it is";
    return text + "was verified on " + std::to_string(samples_) + (samples_ == 1 ? " sample" : " samples");
  }

  /// Does a pass of it fail alone, in whatever way?
  [[nodiscard]] bool one_fails(const PlannedVariant& planned) const {
    return std::ranges::any_of(study_.attempts(), [&](const Attempt& other) {
      return is_single(other) && blames_passes(study_, other) &&
             holds(planned.recipe.passes, other.plan.recipe.passes.front());
    });
  }

  /// The passes of the recipe that change something alone: only they can have begun it. All, where that tells nothing.
  FaultRecord& interaction(const Attempt& failing) {
    std::vector<std::string> suspects;
    for (const Attempt& other : study_.attempts()) {
      if (!is_single(other) || other.same_as == "original" || other.same_as == "round_trip") continue;
      const std::string& pass = other.plan.recipe.passes.front();
      if (holds(failing.plan.recipe.passes, pass) && !holds(suspects, pass)) suspects.push_back(pass);
    }
    if (suspects.size() < 2) suspects = failing.plan.recipe.passes;
    FaultRecord& fault = fault_for(failing, std::move(suspects), FaultKind::interaction);
    fault.message = name_of(failing.plan) + " fails, though none of its passes does " +
                    (one_fails(failing.plan) ? "so alone: " : "alone: ") + told(failing) +
                    "; the minimal set of passes is not known yet";
    return fault;
  }

  void number() {
    for (std::size_t i = 0; i < faults_.size(); ++i) {
      faults_[i].id = "F" + std::to_string(i + 1);
      auto& variants = faults_[i].variants;
      std::ranges::sort(variants);
      variants.erase(std::unique(variants.begin(), variants.end()), variants.end());
    }
  }

  const Study& study_;
  const std::vector<Explanation>& explanations_;
  const std::vector<std::string>& ids_;
  std::size_t samples_;
  std::vector<FaultRecord> faults_;
};

}  // namespace

std::vector<Explanation> failing_recipes(const Study& study) {
  std::vector<Explanation> failing;
  for (std::size_t i = 0; i < study.attempts().size(); ++i) {
    const Attempt& recipe = study.attempts()[i];
    if (recipe.plan.recipe.passes.size() < 2 || !blames_passes(study, recipe)) continue;
    Explanation& explanation = failing.emplace_back();
    explanation.recipe = i;
    for (std::size_t j = 0; j < study.attempts().size(); ++j) {
      const Attempt& alone = study.attempts()[j];
      if (!is_single(alone) || !blames_passes(study, alone)) continue;
      // What is right at the reference's level does not account for a failure there, nor the other way round.
      if (study.fails_deployed(alone) != study.fails_deployed(recipe)) continue;
      if (holds(recipe.plan.recipe.passes, alone.plan.recipe.passes.front())) explanation.failing.push_back(j);
    }
  }
  return failing;
}

std::vector<std::string> untried_alone(const Study& study, std::size_t recipe) {
  std::vector<std::string> untried;
  for (const std::string& pass : study.attempts()[recipe].plan.recipe.passes) {
    const bool tried = std::ranges::any_of(study.attempts(), [&](const Attempt& attempt) {
      return is_single(attempt) && attempt.plan.recipe.passes.front() == pass;
    });
    if (!tried && !holds(untried, pass)) untried.push_back(pass);
  }
  return untried;
}

std::vector<std::string> rest_of(const Study& study, const Explanation& explanation) {
  std::vector<std::string> rest;
  if (explanation.failing.empty()) return rest;
  for (const std::string& pass : study.attempts()[explanation.recipe].plan.recipe.passes) {
    const bool fails = std::ranges::any_of(
        explanation.failing, [&](std::size_t i) { return study.attempts()[i].plan.recipe.passes.front() == pass; });
    if (!fails) rest.push_back(pass);
  }
  return rest;
}

std::vector<FaultRecord> find_faults(const Study& study, const std::vector<Explanation>& explanations,
                                     const std::vector<std::string>& ids, std::size_t samples) {
  return FaultFinder(study, explanations, ids, samples).find();
}

}  // namespace culprit
