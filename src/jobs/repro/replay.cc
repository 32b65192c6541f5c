#include "repro/replay.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "base/folder.h"
#include "base/text.h"
#include "data/sample_folders.h"
#include "executor/run_and_wait.h"
#include "record/level_words.h"
#include "tensor/pack_file.h"
#include "trial/exported_form.h"
#include "trial/failure_signature.h"
#include "trial/judging.h"
#include "trial/plain_reason.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

TrialOptions options_of(const ReproFacts& facts, const Limits& limits) {
  TrialOptions options;
  options.tolerance = facts.tolerance;
  options.strict = facts.strict;
  options.limits = limits;
  options.optimizer = facts.recipe.optimizer;
  options.session.threads = static_cast<int>(std::clamp<std::int64_t>(facts.threads, 1, 1024));
  return options;
}

SessionOptions session_of(const Bundle& bundle) {
  SessionOptions session = options_of(bundle.facts, {}).session;
  session.level = level_named(bundle.facts.level).value_or(Level::off);
  for (const std::string& library : bundle.facts.custom_ops)
    session.custom_ops.push_back(fs::absolute(bundle.folder / fs::path(library).filename()));
  return session;
}

/// What one try came to.
struct Try {
  bool tells = false;  ///< of anything: else `judgement.message` says why not
  Judgement judgement;
  std::string signature;  ///< of a failure
};

class Replaying {
 public:
  Replaying(const Bundle& bundle, const Limits& limits, const ReplayTools& tools)
      : facts_(bundle.facts),
        model_(bundle.model),
        options_(options_of(bundle.facts, limits)),
        tools_(tools),
        dispatcher_(tools.executor) {
    options_.program = tools.program;
  }

  Result<Replay> run(const Bundle& bundle, int tries) {
    Reference reference{.model = model_, .options = options_, .folder = tools_.folder, .session = session_of(bundle)};
    if (auto ok = write_sample(bundle, reference); !ok) return tl::unexpected(ok.error());
    const auto why = run_original(reference);
    if (!why) return tl::unexpected(why.error());
    if (!why->empty()) {
      Replay unknown;
      unknown.message = *why;
      return unknown;
    }
    runtime_ = reference.runtime;
    by_ = std::make_unique<Judging>(dispatcher_, std::move(reference));
    for (int i = 0; i < tries; ++i) start(i);
    if (auto ok = dispatcher_.drain(); !ok) return tl::unexpected(ok.error());
    return summed_up();
  }

 private:
  Result<void> write_sample(const Bundle& bundle, Reference& reference) const {
    if (facts_.inputs.empty() && facts_.outputs.empty()) return {};  // of an import that fails
    const auto sample = read_test_data_set(bundle.folder / "test_data_set_0", model_.interface);
    if (!sample) return tl::unexpected(sample.error());
    const std::vector<NamedTensor>& inputs = sample->inputs;
    reference.fed = fed_names(inputs);
    if (auto ok = make_folder(tools_.folder / "samples"); !ok) return ok;
    reference.samples = {tools_.folder / "samples" / "0.pack"};
    return write_pack(reference.samples.front(), inputs);
  }

  /// Why variants have nothing to be compared with; "" where they have.
  Result<std::string> run_original(Reference& reference) {
    if (is_import() || facts_.contract == Contract::partition) return std::string();
    RunJob job;
    job.model = model_.path;
    job.session = reference.session;
    job.limits = options_.limits;
    job.samples = reference.samples;
    job.folder = tools_.folder / "reference";
    job.fresh_process = true;
    const auto outcome = run_and_wait(dispatcher_, std::move(job));
    if (!outcome) return tl::unexpected(outcome.error());
    reference.runtime = outcome->runtime_version;
    reference.outputs = outcome->outputs;
    if (!outcome->failure.failed() && outcome->outputs.size() == reference.samples.size()) return std::string();
    return "the model itself cannot be run " + words_of_level(facts_.level) + ": " +
           reason_of(outcome->failure.message);
  }

  [[nodiscard]] bool is_import() const { return facts_.control == ControlName::import; }

  void start(int number) {
    OptimizeJob job = making_job(model_, options_, {facts_.recipe});
    job.fresh_process = true;
    job.folder = tools_.folder / ("variants-" + std::to_string(number));
    const auto imported = std::make_shared<ImportOutcome>();
    dispatcher_.optimize(
        std::move(job), [this, imported](const ImportOutcome& outcome) { take_import(*imported = outcome); },
        [this, imported, number](const VariantOutcome& outcome) { take_variant(*imported, outcome, number); });
  }

  void take_import(const ImportOutcome& outcome) {
    if (outcome.failure.failed()) add(judge_import(outcome.failure, options_), {}, is_import() ? "import" : "");
  }

  /// The round trip is a recipe of no passes: it is run though it changes nothing.
  void take_variant(const ImportOutcome& import, const VariantOutcome& outcome, int number) {
    Made made = take_making(facts_.recipe, import, outcome, facts_.contract, by_->reference);
    if (made.refusal && !is_import()) return add(std::move(*made.refusal), outcome.ops_changed, culprit());
    if (is_import() || (made.is_unchanged && !facts_.recipe.passes.empty())) {
      Judgement unchanged;
      unchanged.verdict = Verdict::unchanged;
      unchanged.message = is_import() ? "the model is imported" : "the passes leave the model as it is";
      return add(std::move(unchanged), {}, "");
    }
    run_variant(made.variant, outcome, number);
  }

  /// The round trip of no passes changes nothing, and is run all the same.
  void run_variant(RunnablePtr variant, const VariantOutcome& outcome, int number) {
    if (variant == nullptr) variant = runnable(outcome.file, outcome.interface, facts_.contract, by_->reference);
    const fs::path folder = tools_.folder / ("outputs-" + std::to_string(number));
    RunJob job = job_for(*variant, by_->reference, folder);
    job.fresh_process = true;
    run_and_judge(dispatcher_, by_->judge, variant, std::move(job),
                  [this, variant, outcome, number](Judgement judgement, const RunOutcome& ran) {
                    if (!ran.runtime_version.empty()) runtime_ = ran.runtime_version;
                    take_run(outcome, std::move(judgement), variant->file, number);
                  });
  }

  /// The round trip that is right with its types may fail as it is exported.
  void take_run(const VariantOutcome& made, Judgement judgement, const fs::path& file, int number) {
    const bool is_as_exported = !runs_in_session(facts_.recipe) && file != made.file;
    const bool is_wrong = is_fault(judgement.verdict, options_.strict);
    if (is_wrong && is_as_exported) tell_lost_types(judgement, made);
    const bool is_right = !is_wrong && judgement.verdict != Verdict::inconclusive;
    if (!is_right || is_as_exported || !facts_.recipe.passes.empty() || made.lost_types.empty())
      return add(std::move(judgement), made.ops_changed, culprit());
    const auto exported = written_as_exported(made.file);
    if (exported)
      return run_variant(runnable(*exported, made.interface, facts_.contract, by_->reference), made, number);
    judgement.verdict = Verdict::inconclusive;
    judgement.message = exported.error().text();
    add(std::move(judgement), made.ops_changed, culprit());
  }

  [[nodiscard]] std::string culprit() const { return join(facts_.culprits, ","); }

  void add(Judgement judgement, const std::map<std::string, std::int64_t>& ops, const std::string& culprit) {
    Try made;
    made.tells = judgement.verdict != Verdict::inconclusive;
    const std::string level = facts_.level == facts_.reference_level ? "" : facts_.level;
    if (is_fault(judgement.verdict, options_.strict))
      made.signature = signature_of(judgement.verdict, culprit, ops, judgement.error, level);
    made.judgement = std::move(judgement);
    tries_.push_back(std::move(made));
  }

  [[nodiscard]] ReplayState state_of(const Try& made) const {
    if (!made.tells) return ReplayState::unknown;
    if (made.signature.empty()) return ReplayState::gone;
    return made.signature == facts_.signature ? ReplayState::there : ReplayState::another;
  }

  /// What weighs most of all tries, and how many tell it.
  [[nodiscard]] Replay summed_up() const {
    Replay replay;
    replay.runtime = runtime_;
    for (const Try& made : tries_) {
      const ReplayState state = state_of(made);
      if (state != ReplayState::unknown) ++replay.tries;
      if (state < replay.state) replay.shown = 0;
      if (state > replay.state) continue;
      replay.state = state;
      if (state != ReplayState::unknown) ++replay.shown;
      replay.verdict = made.judgement.verdict;
      replay.signature = made.signature;
      replay.message = made.judgement.message;
    }
    return replay;
  }

  const ReproFacts& facts_;
  const Model& model_;
  TrialOptions options_;
  const ReplayTools& tools_;
  Dispatcher dispatcher_;
  std::unique_ptr<Judging> by_;  // absent until the original has run
  std::string runtime_;          // its version
  std::vector<Try> tries_;
};

}  // namespace

std::string_view name_of(ReplayState state) {
  switch (state) {
    case ReplayState::there:
      return "still_there";
    case ReplayState::another:
      return "another_failure";
    case ReplayState::gone:
      return "gone";
    case ReplayState::unknown:
      return "cannot_judge";
  }
  return "";
}

Result<Replay> replay(const Bundle& bundle, int tries, const Limits& limits, const ReplayTools& tools) {
  return Replaying(bundle, limits, tools).run(bundle, tries);
}

}  // namespace culprit
