#include "check/study.h"

#include <algorithm>

#include "check/bound_inputs.h"
#include "check/study_content.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_places = 64;  // that the scan names

/// By sample, the larger number of draws.
std::vector<int> most_of(std::vector<int> a, const std::vector<int>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

}  // namespace

Study::Study(Desk& desk, Basis& basis, DrawnJudge& judge, Deployment& deployment, Progress progress)
    : desk_(desk), basis_(basis), deployment_(deployment), judge_(judge), progress_(std::move(progress)) {}
Study::~Study() = default;

// --- making -------------------------------------------------------------------------------------------------------

void Study::start(std::vector<PlannedVariant> plan, std::function<void()> made, OnPlaces scanned) {
  made_ = std::move(made);
  scanned_ = std::move(scanned);
  to_be_made_ = plan.size() + 1;
  round_trip_ = std::make_unique<Attempt>();
  round_trip_->plan.recipe.optimizer = basis_.options.optimizer;
  for (PlannedVariant& planned : plan) attempts_.emplace_back().plan = std::move(planned);
  ask_for(0, true);
}

std::size_t Study::add(std::vector<PlannedVariant> plan) {
  const std::size_t first = attempts_.size();
  for (PlannedVariant& planned : plan) attempts_.emplace_back().plan = std::move(planned);
  if (first < attempts_.size()) ask_for(first, false);
  return first;
}

void Study::ask_for(std::size_t first, bool with_round_trip) {
  OptimizeJob job;
  job.model = basis_.model.path;
  job.optimizer = basis_.options.optimizer;
  job.folder = basis_.folder / "variants";
  job.limits = basis_.options.limits;
  if (with_round_trip && scanned_) job.most_places = most_places;
  if (with_round_trip) job.recipes.push_back(round_trip_->plan.recipe);
  const std::vector<std::size_t> order = order_from(first);
  for (const std::size_t i : order) job.recipes.push_back(attempts_[i].plan.recipe);
  if (!with_round_trip) {
    for (const std::size_t i : order) job.rewrites.push_back(attempts_[i].plan.rewrites);
  }
  const std::size_t before = with_round_trip ? 1 : 0;
  desk_.optimize(
      std::move(job),
      [this, first, with_round_trip](const ImportOutcome& outcome) { imported(outcome, first, with_round_trip); },
      [this, order, before](const VariantOutcome& outcome) {
        arrived(outcome.recipe < before ? *round_trip_ : attempts_.at(order.at(outcome.recipe - before)), outcome);
      },
      [this](const ScanOutcome& outcome) { scanned_(outcome.places); });
}

/// In the order of the plan; where time may run short, what users run is made first.
std::vector<std::size_t> Study::order_from(std::size_t first) const {
  std::vector<std::size_t> order;
  for (std::size_t i = first; i < attempts_.size(); ++i) order.push_back(i);
  if (desk_.is_limited())
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return rank_of(attempts_[i]) == Rank::recipe; });
  return order;
}

void Study::imported(const ImportOutcome& outcome, std::size_t first, bool with_round_trip) {
  if (with_round_trip) {
    import_ = outcome;
    basis_.complaint = outcome.checker_complaint;
    if (outcome.failure.failed()) import_finding_.judgement = judge_import(outcome.failure, basis_);
    if (outcome.failure.failed() && scanned_) scanned_({});
    return;
  }
  if (!outcome.failure.failed()) return;
  VariantOutcome none;  // it could be imported before: each of these failed for itself
  none.failure = outcome.failure;
  for (std::size_t i = first; i < attempts_.size(); ++i) arrived(attempts_[i], none);
}

void Study::arrived(Attempt& attempt, const VariantOutcome& outcome) {
  if (attempt.is_made) return;
  attempt.is_made = true;
  attempt.outcome = outcome;
  waiting_.push_back(&attempt);
  settle_arrived();
  if (to_be_made_ > 0 && --to_be_made_ == 0 && made_) made_();
}

void Study::open() {
  open_ = true;
  settle_arrived();
}

/// Nothing can be shared with the round trip before that is there.
void Study::settle_arrived() {
  if (!open_ || !round_trip_ || !round_trip_->is_made) return;
  const auto ready = std::exchange(waiting_, {});
  for (Attempt* attempt : ready) settle(*attempt);
}

/// Finds out with whom a variant is shared, and runs it if it is the first of its kind.
void Study::settle(Attempt& attempt) {
  const VariantOutcome& outcome = attempt.outcome;
  const bool is_round_trip = &attempt == round_trip_.get();
  if (is_round_trip) run_as_exported();
  const VariantOutcome& trip = round_trip_->outcome;
  const bool trip_exists = !trip.failure.failed() && !trip.skipped_by_scan;
  const bool is_trip = !is_round_trip && trip_exists && outcome.fingerprint == trip.fingerprint;
  if (!outcome.failure.failed()) {
    if (!outcome.skipped_by_scan && outcome.fingerprint == import_.original) {
      attempt.same_as = "original";
    } else if (outcome.skipped_by_scan || is_trip) {
      attempt.same_as = "round_trip";
    }
  }
  if (!attempt.same_as.empty()) return decided(attempt);
  const Key key{outcome.fingerprint, attempt.plan.contract};
  if (auto refusal = judge_making(outcome, attempt.plan.contract, basis_)) {
    auto finding = std::make_shared<Finding>();
    if (!outcome.failure.failed()) finding = refused_.emplace(key, finding).first->second;
    finding->judgement = std::move(*refusal);
    attempt.finding = std::move(finding);
    return decided(attempt);
  }
  std::unique_ptr<Content>& content = contents_[key];
  const bool is_new = content == nullptr;
  if (is_new) content = std::make_unique<Content>();
  attempt.finding = content->finding;
  if (is_new) run(attempt, *content);
  if (content->is_judged) decided(attempt);
}

void Study::decided(const Attempt& attempt) {
  ++decided_;
  if (progress_) progress_(decided_, attempts_.size() + 1, name_of(attempt.plan));
}

// --- running ------------------------------------------------------------------------------------------------------

RunJob Study::run_job(const Content& content, const fs::path& folder) const {
  RunJob job;
  job.model = content.file;
  job.session = basis_.session;
  job.limits = basis_.options.limits;
  be_patient(job, basis_.took, basis_.options);
  if (content.contract == Contract::partition) return job;  // half a model: that it loads is enough
  job.samples = basis_.samples;
  job.folder = folder;
  job.inputs = bound_inputs(content.binding, content.interface, basis_.fed);
  return job;
}

fs::path Study::new_folder() { return basis_.folder / "outputs" / std::to_string(folders_++); }

void Study::describe(Content& content, const Interface& interface, Contract contract) const {
  content.contract = contract;
  content.interface = interface;
  if (auto binding = bind(basis_.model.interface, interface, contract)) content.binding = std::move(*binding);
}

void Study::run(const Attempt& attempt, Content& content) {
  content.file = attempt.outcome.file;
  content.name = name_of(attempt.plan);
  content.is_trial = attempt.plan.is_trial;
  describe(content, attempt.outcome.interface, attempt.plan.contract);
  content.outputs_folder = new_folder();
  desk_.run(run_job(content, content.outputs_folder),
            [this, &content](const RunOutcome& outcome) {
              content.outputs = outcome.outputs;
              judge_.judge(outcome, content.binding, content.contract, [this, &content](Judgement judgement) {
                content.finding->judgement = std::move(judgement);
                judged(content);
              });
            },
            {rank_of(attempt), name_of(attempt.plan)});
}

Rank Study::rank_of(const Attempt& attempt) const {
  if (&attempt == round_trip_.get()) return Rank::round_trip;
  if (attempt.plan.is_trial) return Rank::search;
  return attempt.plan.is_bundle || attempt.plan.recipe.passes.size() > 1 ? Rank::recipe : Rank::single;
}

bool Study::faulty(const Finding& finding) const { return is_fault(finding.judgement.verdict, basis_.options.strict); }

void Study::judged(Content& content) {
  content.is_judged = true;
  for (const Attempt& attempt : attempts_) {
    if (attempt.finding == content.finding) decided(attempt);
  }
  const bool is_round_trip = round_trip_->finding == content.finding;
  if (is_round_trip) {
    decided(*round_trip_);
    for (auto& [key, other] : contents_) {
      if (other.get() != &content && other->is_judged) compare_with_round_trip(*other);
    }
    if (!faulty(*content.finding)) remove_folder(std::exchange(content.outputs_folder, {}));
  } else {
    compare_with_round_trip(content);
  }
  deploy(content);
}

/// What fails at the reference's level is known to be wrong already.
void Study::deploy(const Content& content) {
  const Verdict verdict = content.finding->judgement.verdict;
  if (is_fault(verdict, basis_.options.strict) || verdict == Verdict::inconclusive) return;
  const bool is_round_trip = round_trip_->finding == content.finding;
  deployment_.run({run_job(content, {}), content.binding, content.contract, content.finding, is_round_trip,
                   content.name, content.is_trial});
}

void Study::deploy_on_all(const Attempt& attempt) {
  const auto& finding = attempt.same_as == "round_trip" ? round_trip_->finding : attempt.finding;
  if (finding) deployment_.run_on_all(finding);
}

/// Where both are wrong: is it with the same values? Drops the outputs as soon as that is known.
void Study::compare_with_round_trip(Content& content) {
  if (content.outputs_folder.empty()) return;
  const auto trip =
      std::ranges::find_if(contents_, [&](const auto& entry) { return entry.second->finding == round_trip_->finding; });
  const bool trip_runs = trip != contents_.end();
  if (trip_runs && !trip->second->is_judged && faulty(*content.finding)) return;  // asked again when it is
  if (trip_runs && trip->second->is_judged && faulty(*content.finding) && faulty(*trip->second->finding)) {
    const Comparison between =
        compare(trip->second->outputs, content.outputs, content.binding.outputs, content.contract, basis_.options,
                basis_.known.get(), most_of(content.finding->judgement.draws, trip->second->finding->judgement.draws));
    content.finding->as_round_trip =
        wrong_as_round_trip(content.finding->judgement.measurements, trip->second->finding->judgement.measurements,
                            between.measurements, basis_.options.strict);
  }
  remove_folder(std::exchange(content.outputs_folder, {}));
}

// --- what came of it ----------------------------------------------------------------------------------------------

std::vector<DistinctRun> Study::distinct_runs() const {
  std::vector<DistinctRun> runs;
  if (import_.failure.failed()) return runs;
  std::vector<const Attempt*> all = {round_trip_.get()};
  for (const Attempt& attempt : attempts_) all.push_back(&attempt);
  for (const Attempt* attempt : all) {
    const auto at = contents_.find({attempt->outcome.fingerprint, attempt->plan.contract});
    if (at == contents_.end() || at->second->finding != attempt->finding || !at->second->is_judged) continue;
    const bool known = std::ranges::find(runs, attempt->finding, &DistinctRun::finding) != runs.end();
    if (known || at->second->contract == Contract::partition) continue;
    runs.push_back({run_job(*at->second, {}), attempt->finding});
  }
  return runs;
}

Verdict Study::verdict_on(const Attempt& attempt) const {
  return attempt.finding ? verdict_of(*attempt.finding) : Verdict::unchanged;
}

const Finding* Study::failing(const Attempt& attempt) const {
  const bool strict = basis_.options.strict;
  const Finding* finding = attempt.finding.get();
  if (finding == nullptr || is_fault(verdict_of(*finding), strict)) return finding;
  const Finding* deployed = finding->deployed.get();
  return deployed != nullptr && is_fault(verdict_of(*deployed), strict) ? deployed : nullptr;
}

bool Study::fails_deployed(const Attempt& attempt) const {
  return attempt.finding && attempt.finding->deployed && failing(attempt) == attempt.finding->deployed.get();
}

bool Study::follows_round_trip(const Attempt& attempt) const {
  const Finding* own = failing(attempt);
  const Finding* trip = failing(*round_trip_);
  if (&attempt == round_trip_.get() || own == nullptr || trip == nullptr) return false;
  if (fails_deployed(attempt) != fails_deployed(*round_trip_)) return false;
  if (own->as_round_trip) return true;
  return own->judgement.measurements.empty() && own->judgement.verdict == trip->judgement.verdict &&
         own->judgement.error == trip->judgement.error;
}

}  // namespace culprit
