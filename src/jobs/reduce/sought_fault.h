#pragma once
// A fault of an optimizer, as a reduction seeks it: what the recipe does to a case, and when two such symptoms are of
// the same failure.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/enum_names.h"

namespace culprit {

/// What a recipe earned on a case, judged as `culprit check` judges.
struct Symptom {
  Verdict verdict = Verdict::inconclusive;
  std::string level;  ///< of the runtime where it fails only there: "all"; "" at the reference's level
  std::string error;  ///< normalized (trial/failure_signature.h)
  std::map<std::string, std::int64_t> ops_changed;
  std::string message;           ///< one line for people
  bool makes_nonfinite = false;  ///< NaN or infinities stand where the reference has numbers, or other ones
};

/// The failure that must stay, and what must not come instead.
struct SoughtFault {
  Recipe recipe;
  Contract contract = Contract::equivalent;
  Symptom symptom;
  double seconds = 0;          ///< that the reference took to load and run
  double variant_seconds = 0;  ///< and what the recipe made
  bool tells = true;           ///< its outputs said something of its values
  bool finite = true;          ///< the reference gave neither NaN nor infinities
  std::string complaint;       ///< normalized: what the checker says of the model as given
  bool well_typed = true;      ///< shape inference agrees with all types that it declares
  std::vector<Recipe> right;   ///< right on the starting case: the round trip, and the recipe less one of its passes
  std::string signature;       ///< of the starting case, as in a report
};

/// Equal parts make the same failure: the verdict, the level, and the error's text without names and numbers; of a
/// divergence its class (values, shape, type), for the rank of what is reached differs from value to value; nothing of
/// what times out, for that tells the limit. Wrong numbers do not become NaN: 0 divided by 0 is easily had, and tells
/// nobody what is wrong.
/// Operator types before -> after: at least one changes in the same direction, where any did. Not the same set: a pass
/// that fires in many places of a whole model changes more there than at the one place that is sought.
bool is_same_failure(const Symptom& sought, const Symptom& found);

}  // namespace culprit
