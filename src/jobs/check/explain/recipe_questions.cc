#include "check/explain/recipe_questions.h"

namespace culprit {

RecipeAnswer RecipeQuestions::ask(const AskRecipe& question, const Passes& passes) {
  if (error_) return {};
  auto showing = question(passes);
  if (showing) return *showing;
  error_ = showing.error();
  return {};
}

RecipeAnswer RecipeQuestions::show(const Passes& passes) {
  if (const auto at = known_.find(passes); at != known_.end()) return at->second;
  if (error_) return {};
  if (known_.size() >= most_) {
    exhausted_ = true;
    return {};
  }
  const RecipeAnswer answer = ask(first_, passes);
  exhausted_ = exhausted_ || answer.skipped;
  return known_[passes] = answer;
}

RecipeAnswer RecipeQuestions::confirm(const Passes& passes) {
  RecipeAnswer shown = show(passes);
  if (shown.state != RecipeAnswer::State::fails) return shown;
  if (const auto at = confirmed_.find(passes); at != confirmed_.end()) return at->second;
  // What did not come again has not failed: known as such from now on.
  return known_[passes] = confirmed_[passes] = ask(again_, passes);
}

Passes passes_at(const Passes& recipe, const Subset& places) {
  Passes passes;
  for (const std::size_t place : places) passes.push_back(recipe.at(place));
  return passes;
}

}  // namespace culprit
