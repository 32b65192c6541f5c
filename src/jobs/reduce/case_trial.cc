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
      reference_{.model = model_, .options = options_.trial, .folder = folder_, .session = options_.session} {
  for (TriedRecipe& recipe : recipes) {
    tried_.emplace_back();
    tried_.back().recipe = std::move(recipe);
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
  if (!case_.samples.empty()) reference_.fed = fed_names(case_.samples.front());
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
  if (auto ok = make_folder(folder_ / "variants"); !ok) return ok;
  make(0, options_.trial.works_in_forks ? 1 : tried_.size());
  return {};
}

void CaseTrial::make_others() {
  if (asked_ < tried_.size()) make(asked_, tried_.size());
}

void CaseTrial::make(std::size_t first, std::size_t end) {
  OptimizeJob job = making_job(model_, options_.trial, {});
  for (std::size_t i = first; i < end; ++i) job.recipes.push_back(tried_[i].recipe.recipe);
  asked_ = end;
  job.folder = folder_ / "variants";
  job.infers_types = options_.infers_types && first == 0;
  job.fresh_process = fresh_;
  dispatcher_.optimize(
      std::move(job),
      [this, first, end](const ImportOutcome& outcome) {
        note(outcome.failure);
        if (first == 0) import_ = outcome;
        for (std::size_t i = first; first > 0 && i < end; ++i) tried_[i].outcome.failure = outcome.failure;
      },
      [this, first](const VariantOutcome& outcome) {
        tried_.at(first + outcome.recipe).outcome = outcome;
        note(outcome.failure);
      });
}

void CaseTrial::take_reference(const RunOutcome& outcome) {
  reference_run_ = outcome;
  note(outcome.failure);
  reference_.outputs = outcome.outputs;
  reference_.runtime = outcome.runtime_version;
  by_ = std::make_unique<Judging>(dispatcher_, reference_);
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

bool CaseTrial::judge(std::size_t number) {
  Tried& tried = tried_.at(number);
  tried.judged = true;
  Made made = take_making(tried.recipe.recipe, import_, tried.outcome, tried.recipe.contract, reference_);
  if (made.is_unchanged) tried.result->judgement.verdict = Verdict::unchanged;  // by its passes
  if (made.refusal) tried.result->judgement = std::move(*made.refusal);
  tried.made = std::move(made.variant);
  if (tried.made != nullptr) run(tried, number);
  return tried.made != nullptr;
}

void CaseTrial::run(Tried& tried, std::size_t number) {
  const bool is_part = tried.made->contract == Contract::partition;
  tried.job = job_for(*tried.made, reference_, {});
  tried.job.limits = fresh_ ? options_.fresh_variant_limits : options_.variant_limits;
  RunJob job = tried.job;
  job.folder = is_part ? fs::path() : folder_ / ("outputs-" + std::to_string(number));
  job.fresh_process = fresh_;
  if (!job.folder.empty() && !has(make_folder(job.folder))) return;
  run_and_judge(dispatcher_, by_->judge, tried.made, std::move(job),
                [this, &tried, number](Judgement judgement, const RunOutcome& outcome) {
                  note(outcome.failure);
                  if (number == 0) variant_seconds_ = outcome.seconds_load + outcome.seconds_run;
                  tried.result->judgement = std::move(judgement);
                });
}

void CaseTrial::judge_others() {
  for (std::size_t i = 1; i < tried_.size(); ++i) judge(i);
}

bool CaseTrial::deploy() {
  std::vector<Tried*> right;
  for (Tried& tried : tried_) {
    const Verdict verdict = tried.result->judgement.verdict;
    const bool is_right = verdict == Verdict::equivalent || verdict == Verdict::deviates;
    const bool is_deployed = runs_in_session(tried.recipe.recipe);
    if (tried.judged && !tried.deployed && is_right && !faulty(verdict) && !is_deployed) right.push_back(&tried);
  }
  if (!options_.deploys || right.empty()) return false;
  const auto run_all = [this, right] {
    for (Tried* tried : right) by_->deploy_level.run({tried->made, tried->job, tried->result, false, ""});
  };
  for (Tried* tried : right) tried->deployed = true;
  if (by_->deploy_level.control()) {
    run_all();
    return true;
  }
  if (!has(make_folder(folder_ / "reference" / "deployed"))) return false;
  by_->deploy_level.run_original([this, run_all] {
    by_->deploy_level.judge_original();
    run_all();
  });
  return true;
}

double CaseTrial::seconds_of_reference() const { return reference_run_.seconds_load + reference_run_.seconds_run; }

Symptom CaseTrial::symptom(std::size_t recipe) const {
  const Tried& tried = tried_.at(recipe);
  const auto& deployed = tried.result->deployed;
  const bool there = deployed != nullptr && faulty(deployed->judgement.verdict);
  const Judgement& judgement = there ? deployed->judgement : tried.result->judgement;
  const bool makes_nonfinite = std::ranges::any_of(
      judgement.measurements, [](const auto& measured) { return measured.second.nonfinite_mismatch > 0; });
  return {judgement.verdict, there ? by_->deploy_level.level() : "",
          judgement.error,   tried.outcome.ops_changed,
          judgement.message, makes_nonfinite};
}

}  // namespace culprit
