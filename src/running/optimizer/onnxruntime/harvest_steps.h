#pragma once
// Which optimizations does this very library of ONNX Runtime have, and can each be switched off? Asked of the library
// itself, because names change from version to version, and it ignores names that it does not know without a word.
//
// Transformers: the log of a session names each that ran. One is proven when it is missing from the log of a session
// that was told to leave it out. Rules: nothing tells of them, so each is tried on a model of its own (step_names.h)
// with all else left out: it is proven when the model changes with the rule, and stays without it. Rules of which
// step_names.h does not know are not found; a rule that is no whole string in the library, and does nothing to its
// model, is not there.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "runtime/level.h"

namespace culprit {

enum class StepKind { transformer, container, rule };
std::string_view name_of(StepKind kind);
std::optional<StepKind> step_kind_named(std::string_view name);

/// How it is known that a step can be switched off.
enum class StepProof {
  by_log,       ///< it ran, and did not run when it was to be left out
  by_model,     ///< its model changed with it, and did not without
  always_runs,  ///< whatever is left out
  none,         ///< it is there, and nothing shows that leaving it out has an effect
};
std::string_view name_of(StepProof proof);
std::optional<StepProof> step_proof_named(std::string_view name);

struct HarvestedStep {
  std::string name;
  StepKind kind = StepKind::transformer;
  Level level = Level::off;  ///< the lowest at which it runs
  StepProof proof = StepProof::none;
};

struct Harvest {
  std::string version;               ///< of the library
  std::vector<HarvestedStep> steps;  ///< transformers in the order in which they run at level all, then rules
};

/// Loads the library: for a process of its own. `folder` exists; saved models come and go in it. About 50 sessions of a
/// few nodes. Errors: those of the library where it cannot be loaded or refuses the smallest model; io.
Result<Harvest> harvest_steps(const std::filesystem::path& library, const std::filesystem::path& folder);

}  // namespace culprit
