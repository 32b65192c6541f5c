#include "reduce/exam.h"

#include <algorithm>
#include <cmath>

#include "check/folders.h"
#include "check/judgement.h"
#include "check/signature.h"
#include "check/weak_data.h"
#include "tensor/pack.h"

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

Exam::Exam(Desk& desk, const ExamOptions& options, Case a_case, std::vector<ExamRecipe> recipes, fs::path folder,
           bool fresh)
    : desk_(desk),
      options_(options),
      case_(std::move(a_case)),
      folder_(std::move(folder)),
      fresh_(fresh),
      model_(model_at(folder_ / "model.onnx", case_)),
      basis_{model_, options_.check, folder_, options_.session, {}, {}, {}, "", ""},
      judge_(desk_, basis_),
      deployment_(desk_, basis_, judge_) {
  for (ExamRecipe& recipe : recipes) {
    attempts_.emplace_back();
    attempts_.back().recipe = std::move(recipe);
  }
}

Exam::~Exam() { remove_folder(folder_); }

Result<void> Exam::write() {
  if (auto ok = make_folder(folder_ / "samples"); !ok) return ok;
  if (auto ok = save_model(*case_.model, model_.path, Durability::buffered); !ok) return ok;
  for (std::size_t i = 0; i < case_.samples.size(); ++i) {
    const fs::path pack = folder_ / "samples" / (std::to_string(i) + ".pack");
    if (auto ok = write_pack(pack, case_.samples[i]); !ok) return ok;
    basis_.samples.push_back(pack);
  }
  for (const NamedTensor& input : case_.samples.empty() ? Inputs() : case_.samples.front()) {
    if (basis_.fed.empty() || basis_.fed.back() != input.name) basis_.fed.push_back(input.name);
  }
  return make_folder(folder_ / "reference");
}

/// Else there is no answer.
bool Exam::has(const Result<void>& made) {
  if (!made && !broken_) broken_ = made.error();
  return made.has_value();
}

/// What a worker could not write, or that none could be started. What the machine killed is another matter: it may be
/// the case's size.
void Exam::note(const Failure& failure) {
  if (broken_ || !failure.machine || failure.ending != Ending::exited) return;
  broken_ = Error{ErrorKind::io, "a model could not be tried: " + failure.message,
                  "if the disk is full, make room, or name a folder elsewhere with --run-dir"};
}

Result<void> Exam::start() {
  if (auto ok = write(); !ok) return ok;
  RunJob run;
  run.model = model_.path;
  run.session = options_.session;
  run.samples = basis_.samples;
  run.folder = folder_ / "reference";
  run.fresh_process = fresh_;
  run.limits = options_.patience;
  desk_.run(std::move(run), [this](const RunOutcome& outcome) { take_reference(outcome); });
  OptimizeJob job;
  job.model = model_.path;
  job.optimizer = options_.check.optimizer;
  for (const Attempt& attempt : attempts_) job.recipes.push_back(attempt.recipe.recipe);
  job.folder = folder_ / "variants";
  job.limits = options_.check.limits;
  if (auto ok = make_folder(job.folder); !ok) return ok;
  desk_.optimize(
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

void Exam::take_reference(const RunOutcome& outcome) {
  reference_ = outcome;
  note(outcome.failure);
  basis_.reference = outcome.outputs;
  basis_.runtime = outcome.runtime_version;
  finite_ = all_finite(outcome.outputs);
  if (outcome.outputs.size() != basis_.samples.size()) return;
  const auto weakness = weakness_of(basis_.samples, outcome.outputs);
  tells_ = !weakness || !weakness->says_nothing;
}

bool Exam::is_sound(const std::string& complaint) const {
  if (reference_.failure.failed() || reference_.outputs.size() != case_.samples.size()) return false;
  return this->complaint().empty() || this->complaint() == complaint;
}

std::string Exam::complaint() const { return normalized(import_.checker_complaint); }

/// The round trip alone, if anything: no pass did it.
bool Exam::is_unchanged(const Attempt& attempt) const {
  return attempt.outcome.skipped_by_scan || attempt.outcome.fingerprint == import_.original;
}

bool Exam::judge(std::size_t number) {
  basis_.complaint = import_.checker_complaint;
  Attempt& attempt = attempts_.at(number);
  attempt.judged = true;
  if (import_.failure.failed()) {
    attempt.finding->judgement = judge_import(import_.failure, basis_);
    return false;
  }
  if (!attempt.outcome.failure.failed() && is_unchanged(attempt)) {
    attempt.finding->judgement.verdict = Verdict::unchanged;
    return false;
  }
  if (auto judgement = judge_making(attempt.outcome, attempt.recipe.contract, basis_)) {
    attempt.finding->judgement = std::move(*judgement);
    return false;
  }
  run(attempt, number);
  return true;
}

void Exam::run(Attempt& attempt, std::size_t number) {
  const Contract contract = attempt.recipe.contract;
  const bool is_part = contract == Contract::partition;
  if (!is_part) attempt.binding = bind(model_.interface, attempt.outcome.interface, contract).value();
  RunJob& job = attempt.job;
  job.model = attempt.outcome.file;
  job.session = options_.session;
  job.inputs = attempt.binding.inputs;
  job.limits = fresh_ ? options_.fresh_variant_patience : options_.variant_patience;
  if (!is_part) job.samples = basis_.samples;
  RunJob now = job;
  now.folder = is_part ? fs::path() : folder_ / ("outputs-" + std::to_string(number));
  now.fresh_process = fresh_;
  if (!now.folder.empty() && !has(make_folder(now.folder))) return;
  desk_.run(std::move(now), [this, &attempt, number](const RunOutcome& outcome) {
    note(outcome.failure);
    if (number == 0) variant_seconds_ = outcome.seconds_load + outcome.seconds_run;
    judge_.judge(outcome, attempt.binding, attempt.recipe.contract,
                 [&attempt](Judgement judgement) { attempt.finding->judgement = std::move(judgement); });
  });
}

void Exam::judge_others() {
  for (std::size_t i = 1; i < attempts_.size(); ++i) judge(i);
}

bool Exam::deploy() {
  std::vector<Attempt*> right;
  for (Attempt& attempt : attempts_) {
    const Verdict verdict = attempt.finding->judgement.verdict;
    const bool is_right = verdict == Verdict::equivalent || verdict == Verdict::deviates;
    if (attempt.judged && !attempt.deployed && is_right && !faulty(verdict)) right.push_back(&attempt);
  }
  if (!options_.deploys || right.empty()) return false;
  const auto run_all = [this, right] {
    for (Attempt* attempt : right) {
      deployment_.run({attempt->job, attempt->binding, attempt->recipe.contract, attempt->finding, false, ""});
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

double Exam::seconds_of_reference() const { return reference_.seconds_load + reference_.seconds_run; }

Symptom Exam::symptom(std::size_t recipe) const {
  const Attempt& attempt = attempts_.at(recipe);
  const auto& deployed = attempt.finding->deployed;
  const bool there = deployed != nullptr && faulty(deployed->judgement.verdict);
  const Judgement& judgement = there ? deployed->judgement : attempt.finding->judgement;
  return {judgement.verdict, there ? deployment_.level() : "", judgement.error, attempt.outcome.ops_changed,
          judgement.message};
}

}  // namespace culprit
