#pragma once
// Making, running and judging once: what a check, a reduction, a replay and a second opinion have in common.

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "executor/dispatcher.h"
#include "model/interface_binding.h"
#include "trial/drawn_judge.h"
#include "trial/judgement.h"
#include "trial/reference.h"

namespace culprit {

/// A job that makes these recipes of a model, with its limits. Where the variants are kept is for the caller to say.
OptimizeJob making_job(const Model& model, const TrialOptions& options, std::vector<Recipe> recipes);

/// A variant that can run, and how it stands to the original: a file, or the original in a session of the runtime that
/// optimizes it (`in_session`).
struct RunnableVariant {
  std::filesystem::path file;
  Contract contract = Contract::equivalent;
  Binding binding;                 ///< which of its outputs stands for which of the original's
  std::vector<BoundInput> inputs;  ///< what it is fed: what is bound, and inputs with a default that samples override
  RenamedOutputs outputs = {};     ///< its states are fed back from these
  std::optional<Recipe> in_session = {};  ///< the level of the session, and the steps that it leaves out
};
using RunnablePtr = std::shared_ptr<const RunnableVariant>;

/// What is drawn of it where it is a file; nothing of what is the original in another session.
std::optional<DrawnVariant> drawn_variant(const RunnableVariant& variant);

/// A file with this interface. Where that does not fit the original's, nothing is bound.
RunnablePtr runnable(const std::filesystem::path& file, const Interface& interface, Contract contract,
                     const Reference& reference);

/// The original, in the session that this recipe tells of.
RunnablePtr runnable_in_session(const Recipe& recipe, const Reference& reference);

/// Runs it on all samples as the reference was run; as long as the original's pace allows. Of half a model (the
/// contract `partition`) it is enough that it loads. Outputs are written into `folder`, which is made.
RunJob job_for(const RunnableVariant& variant, const Reference& reference, const std::filesystem::path& folder);

/// Runs this job of the variant and judges what came of it; the folder of outputs stays.
using OnTried = std::function<void(Judgement judgement, const RunOutcome& outcome)>;
void run_and_judge(Dispatcher& dispatcher, DrawnJudge& judge, const RunnablePtr& variant, RunJob job, OnTried then,
                   Purpose purpose = {});
/// The same, once more in a process that ran nothing before, alone if `alone`; its outputs are removed when it is
/// judged.
void run_afresh_and_judge(Dispatcher& dispatcher, DrawnJudge& judge, const RunnablePtr& variant, RunJob job, bool alone,
                          std::function<void(const Judgement&)> then);

/// What making one recipe came to: nothing changed, a refusal, or a variant to run.
struct Made {
  bool is_unchanged = false;  ///< its passes do nothing: it is the original, or the round trip
  std::optional<Judgement> refusal = {};
  RunnablePtr variant = {};  ///< null in the other two cases
};
/// What runs in a session is run there whatever was saved of it: it is never unchanged, and never refused.
Made take_making(const Recipe& recipe, const ImportOutcome& import, const VariantOutcome& outcome, Contract contract,
                 const Reference& reference);

}  // namespace culprit
