#include "reduce/case_trial.h"

#include <algorithm>
#include <cmath>

#include "base/folder.h"
#include "tensor/pack_file.h"
#include "trial/failure_signature.h"
#include "trial/judgement.h"
#include "trial/weak_data.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

bool all_finite(const std::vector<fs::path>& packs) {
  for (const fs::path& pack : packs) {
    const auto outputs = read_pack(pack);
    if (!outputs) return true;
    for (const NamedTensor& output : *outputs) {
      if (!is_float(output.value.dtype())) continue;
      for (std::int64_t i = 0; i < output.value.count(); ++i) {
        if (!std::isfinite(output.value.number(i))) return false;
      }
    }
  }
  return true;
}

Model model_at(const fs::path& path, const Case& a_case) {
  Model model;
  model.path = path;
  model.proto = a_case.model;
  model.interface = interface_of(*a_case.model);
  return model;
}

}  // namespace

CaseTrial::CaseTrial(Dispatcher& dispatcher, const CaseTrialOptions& options, Case a_case,
                     std::vector<TriedRecipe> recipes, fs::path folder, bool fresh)
    : dispatcher_(dispatcher),
      options_(options),
      case_(std::move(a_case)),
      folder_(std::move(folder)),
      fresh_(fresh),
      model_(model_at(folder_ / "model.onnx", case_)),
      reference_{model_, options_.trial, folder_, options_.session, {}, {}, {}, "", ""},
      judge_(dispatcher_, reference_),
      deployment_(dispatcher_, reference_, judge_) {
  for (TriedRecipe& recipe : recipes) {
    attempts_.emplace_back();
    attempts_.back().recipe = std::move(recipe);
  }
}

CaseTrial::~CaseTrial() { remove_folder(folder_); }

Result<void> CaseTrial::write() {
  if (auto ok = make_folder(folder_ / "samples"); !ok) return ok;
  if (auto ok = save_model(*case_.model, model_.path, Durability::buffered); !ok) return ok;
  for (std::size_t i = 0; i < case_.samples.size(); ++i) {
    const fs::path pack = folder_ / "samples" / (std::to_string(i) + ".pack");
    if (auto ok = write_pack(pack, case_.samples[i]); !ok) return ok;
    reference_.samples.push_back(pack);
  }
  for (const NamedTensor& input : case_.samples.empty() ? Inputs() : case_.samples.front()) {
    if (reference_.fed.empty() || reference_.fed.back() != input.name) reference_.fed.push_back(input.name);
  }
  return make_folder(folder_ / "reference");
}

/// Else there is no answer.
bool CaseTrial::has(const Result<void>& made) {
  if (!made && !broken_) broken_ = made.error();
  return made.has_value();
}

/// What a worker could not write, or that none could be started. What the machine killed is another matter: it may be
/// the case's size.
void CaseTrial::note(const Failure& failure) {
  if (broken_ || !failure.machine || failure.ending != Ending::exited) return;
  broken_ = Error{ErrorKind::io, "a model could not be tried: " + failure.message,
                  "if the disk is full, make room, or name a folder elsewhere with --run-dir"};
}

Result<void> CaseTrial::start() {
  if (auto ok = write(); !ok) return ok;
  RunJob run;
  run.model = model_.path;
  run.session = options_.session;
  run.samples = reference_.samples;
  run.folder = folder_ / "reference";
  run.fresh_process = fresh_;
  run.limits = options_.patience;
  dispatcher_.run(std::move(run), [this](const RunOutcome& outcome) { take_reference(outcome); });
  OptimizeJob job;
  job.model = model_.path;
  job.optimizer = options_.trial.optimizer;
  for (const Attempt& attempt : attempts_) job.recipes.push_back(attempt.recipe.recipe);
  job.folder = folder_ / "variants";
  job.limits = options_.trial.limits;
  job.infers_types = options_.infers_types;
  if (auto ok = make_folder(job.folder); !ok) return ok;
  dispatcher_.optimize(
      std::move(job),
      [this](const ImportOutcome& outcome) {
        import_ = outcome;
        note(outcome.failure);
      },
      [this](const VariantOutcome& outcome) {
        attempts_.at(outcome.recipe).outcome = outcome;
        note(outcome.failure);
      });
  return {};
}

void CaseTrial::take_reference(const RunOutcome& outcome) {
  reference_run_ = outcome;
  note(outcome.failure);
  reference_.outputs = outcome.outputs;
  reference_.runtime = outcome.runtime_version;
  finite_ = all_finite(outcome.outputs);
  if (outcome.outputs.size() != reference_.samples.size()) return;
  const auto weakness = weakness_of(reference_.samples, outcome.outputs);
  tells_ = !weakness || !weakness->says_nothing;
}

bool CaseTrial::is_sound(const std::string& complaint) const {
  if (reference_run_.failure.failed() || reference_run_.outputs.size() != case_.samples.size()) return false;
  return this->complaint().empty() || this->complaint() == complaint;
}

std::string CaseTrial::complaint() const { return normalized(import_.checker_complaint); }

/// The round trip alone, if anything: no pass did it.
bool CaseTrial::is_unchanged(const Attempt& attempt) const {
  return attempt.outcome.skipped_by_scan || attempt.outcome.fingerprint == import_.original;
}

bool CaseTrial::judge(std::size_t number) {
  reference_.complaint = import_.checker_complaint;
  Attempt& attempt = attempts_.at(number);
  attempt.judged = true;
  if (import_.failure.failed()) {
    attempt.result->judgement = judge_import(import_.failure, reference_);
    return false;
  }
  if (!attempt.outcome.failure.failed() && is_unchanged(attempt)) {
    attempt.result->judgement.verdict = Verdict::unchanged;
    return false;
  }
  if (auto judgement = judge_making(attempt.outcome, attempt.recipe.contract, reference_)) {
    attempt.result->judgement = std::move(*judgement);
    return false;
  }
  run(attempt, number);
  return true;
}

void CaseTrial::run(Attempt& attempt, std::size_t number) {
  const Contract contract = attempt.recipe.contract;
  const bool is_part = contract == Contract::partition;
  if (!is_part) attempt.binding = bind(model_.interface, attempt.outcome.interface, contract).value();
  RunJob& job = attempt.job;
  job.model = attempt.outcome.file;
  job.session = options_.session;
  job.inputs = attempt.binding.inputs;
  job.limits = fresh_ ? options_.fresh_variant_limits : options_.variant_limits;
  if (!is_part) job.samples = reference_.samples;
  RunJob now = job;
  now.folder = is_part ? fs::path() : folder_ / ("outputs-" + std::to_string(number));
  now.fresh_process = fresh_;
  if (!now.folder.empty() && !has(make_folder(now.folder))) return;
  dispatcher_.run(std::move(now), [this, &attempt, number](const RunOutcome& outcome) {
    note(outcome.failure);
    if (number == 0) variant_seconds_ = outcome.seconds_load + outcome.seconds_run;
    judge_.judge(outcome, attempt.binding, attempt.recipe.contract,
                 [&attempt](Judgement judgement) { attempt.result->judgement = std::move(judgement); });
  });
}

void CaseTrial::judge_others() {
  for (std::size_t i = 1; i < attempts_.size(); ++i) judge(i);
}

bool CaseTrial::deploy() {
  std::vector<Attempt*> right;
  for (Attempt& attempt : attempts_) {
    const Verdict verdict = attempt.result->judgement.verdict;
    const bool is_right = verdict == Verdict::equivalent || verdict == Verdict::deviates;
    if (attempt.judged && !attempt.deployed && is_right && !faulty(verdict)) right.push_back(&attempt);
  }
  if (!options_.deploys || right.empty()) return false;
  const auto run_all = [this, right] {
    for (Attempt* attempt : right) {
      deployment_.run({attempt->job, attempt->binding, attempt->recipe.contract, attempt->result, false, ""});
    }
  };
  for (Attempt* attempt : right) attempt->deployed = true;
  if (deployment_.control()) {
    run_all();
    return true;
  }
  if (!has(make_folder(folder_ / "reference" / "deployed"))) return false;
  deployment_.start([this, run_all] {
    deployment_.open();
    run_all();
  });
  return true;
}

double CaseTrial::seconds_of_reference() const { return reference_run_.seconds_load + reference_run_.seconds_run; }

Symptom CaseTrial::symptom(std::size_t recipe) const {
  const Attempt& attempt = attempts_.at(recipe);
  const auto& deployed = attempt.result->deployed;
  const bool there = deployed != nullptr && faulty(deployed->judgement.verdict);
  const Judgement& judgement = there ? deployed->judgement : attempt.result->judgement;
  return {judgement.verdict, there ? deployment_.level() : "", judgement.error, attempt.outcome.ops_changed,
          judgement.message};
}

}  // namespace culprit
