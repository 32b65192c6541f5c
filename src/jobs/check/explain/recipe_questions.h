#pragma once
// Trying recipes, one at a time: what every search for the passes that fail together is made of. Pure: it knows what a
// recipe showed, not how that was found out.

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "search/ddmin.h"

namespace culprit {

using Passes = std::vector<std::string>;

/// What one recipe showed.
struct RecipeAnswer {
  enum class State {
    clean,   ///< made, run on all samples, and right
    fails,   ///< wrong by the doing of its passes
    unclear  ///< neither: it could not be told, or is the round trip's doing
  };
  State state = State::unclear;
  std::string failure = {};  ///< of what fails: verdict class and normalized error, equal for the same failure
  std::string verdict = {};  ///< of what fails: its class alone, "diverged at all"
  bool skipped = false;      ///< unclear, for want of time
  bool operator==(const RecipeAnswer&) const = default;
};

/// Makes one recipe, runs it, and tells what it showed. An Error (interrupted) ends the search.
using AskRecipe = std::function<Result<RecipeAnswer>(const Passes&)>;

/// Asks for each recipe once, and for no more than `most` of them. After an error or when the budget is spent all that
/// was not asked before is unclear, so every search comes to its end.
class RecipeQuestions {
 public:
  /// `again`: shows a failure anew in fresh processes; unclear where it does not come again.
  RecipeQuestions(AskRecipe first, AskRecipe again, std::size_t most, bool ordered = true)
      : first_(std::move(first)), again_(std::move(again)), most_(most), ordered_(ordered) {}

  RecipeAnswer show(const Passes& passes);
  /// What a failure is after its confirmation; anything else as it was shown.
  RecipeAnswer confirm(const Passes& passes);

  [[nodiscard]] bool ordered() const { return ordered_; }      ///< the order of passes means something
  [[nodiscard]] bool exhausted() const { return exhausted_; }  ///< something was not asked for want of budget
  [[nodiscard]] bool asked_most() const { return known_.size() >= most_; }
  [[nodiscard]] std::size_t asked() const { return known_.size(); }
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

 private:
  RecipeAnswer ask(const AskRecipe& question, const Passes& passes);

  AskRecipe first_, again_;
  std::size_t most_;
  bool ordered_;
  bool exhausted_ = false;
  std::optional<Error> error_;
  std::map<Passes, RecipeAnswer> known_;
  std::map<Passes, RecipeAnswer> confirmed_;
};

/// The passes at these places of a recipe.
Passes passes_at(const Passes& recipe, const Subset& places);

}  // namespace culprit
