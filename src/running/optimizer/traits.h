#pragma once
// What the rest of the tool has to know of an optimizer: what its steps are called, whether their order counts, which
// of them users run, and how its variants run. Whoever plans, searches or explains asks this, and knows no optimizer by
// name.

#include <string>
#include <vector>

#include "optimizer/command/program_description.h"
#include "record/enum_names.h"

namespace culprit {

/// A step: a pass of ONNX Optimizer; a transformer or a rewrite rule of ONNX Runtime.
struct PassInfo {
  std::string name;
  std::string kind;  ///< "fuse", "eliminate", "replace", "separate", "other"; "transformer", "container", "rule"
  Contract contract = Contract::equivalent;
  bool in_bundle = false;
  bool by_predicate = false;   ///< `may_match` is meaningful: a pass that matches no node changes nothing
  std::string help;            ///< one line
  std::string level = {};      ///< of a runtime's step: the lowest of its levels that has it
  std::string container = {};  ///< of a rule: the step that it runs in, which is off only when all its rules are
};

/// Steps that users run together under one name. Of a runtime: a level, which holds those below it.
struct StepBundle {
  std::string name;
  std::vector<std::string> steps;
};

struct OptimizerTraits {
  std::string name = "onnx_optimizer";  ///< as in --optimizer, and in recipes
  std::string version = {};
  std::string step_word = "pass";  ///< what people call a step
  bool ordered = true;          ///< a recipe is a list in its order; else a set, which is kept in the order of `steps`
  bool limits_rewrites = true;  ///< `apply_within` works
  std::string level = {};       ///< of a runtime: the level that users run it at; "": its variants are files
  std::vector<PassInfo> steps = {};
  std::vector<StepBundle> bundles = {};  ///< of a runtime: its levels up to that one, the smallest first
  CommandSpecPtr command = nullptr;      ///< of a program

  [[nodiscard]] bool is_runtime() const { return !level.empty(); }
  [[nodiscard]] bool is_program() const { return command != nullptr; }
  /// Is each step tried alone, whatever becomes of them together? A fork of ONNX Optimizer costs next to nothing; a
  /// session or a program costs more than halving among many steps.
  [[nodiscard]] bool tries_steps_alone() const { return !is_runtime() && !is_program(); }
};

/// The recipe of these steps, and of a runtime: at this level ("": the users'), with all other steps that it has there
/// disabled. A container stays on while one of its rules is.
Recipe recipe_of(const OptimizerTraits& optimizer, std::vector<std::string> steps, Repeat repeat = Repeat::once,
                 const std::string& level = "");

/// Leaves out one of a recipe's steps. `program`: of an optimizer that is one.
Recipe without_step(Recipe recipe, std::size_t place, const CommandSpecPtr& program);

/// The steps of a runtime that may have touched a model, where these say that they did: transformers themselves, and of
/// containers all rules. In the order of `steps`.
std::vector<std::string> suspects_of(const OptimizerTraits& optimizer, const std::vector<std::string>& touched);

}  // namespace culprit
