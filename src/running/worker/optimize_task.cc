#include <algorithm>
#include <map>

#include "base/stopwatch.h"
#include "base/text.h"
#include "process/how_it_ended.h"
#include "worker/task.h"

namespace culprit {
namespace {

class OptimizeTask : public Task {
 public:
  /// `only`: the job has one recipe, which stands at this place in the job that was asked for and is done again; the
  /// outcome of its import was given.
  OptimizeTask(JobId id, OptimizeJob job, std::filesystem::path scratch, Ledger ledger,
               std::optional<std::size_t> only = std::nullopt)
      : Task(job.alone),
        only_(only),
        id_(id),
        job_(std::move(job)),
        scratch_(std::move(scratch)),
        ledger_(ledger),
        answered_(job_.recipes.size(), false) {}

  [[nodiscard]] bool optimizes() const override { return true; }
  [[nodiscard]] bool wants_fresh_process() const override {
    return job_.fresh_process || alone() || !job_.works_in_forks;
  }
  [[nodiscard]] std::optional<std::string> shares_worker_as() const override {
    if (wants_fresh_process()) return std::nullopt;
    return "optimize " + join(job_.staying_program, " ");
  }
  [[nodiscard]] Limits limits() const override { return within_grant(job_.limits); }

  [[nodiscard]] wire::ToWorker message() const override {
    wire::ToWorker message;
    OptimizeJob job = job_;
    job.limits = limits();
    *message.mutable_optimize() = wire::encode(job, scratch_);
    return message;
  }

  bool take(const wire::FromWorker& message, Child& worker) override {
    since_heard_ = Stopwatch();
    switch (message.body_case()) {
      case wire::FromWorker::kDoing:
        doing_ = printable(message.doing().what(), 100);
        return true;
      case wire::FromWorker::kImporting:
        ++ledger_.counts.imports;
        return true;
      case wire::FromWorker::kForked:
        ++ledger_.counts.processes;
        return true;
      case wire::FromWorker::kImported:
        return take_imported(message.imported(), worker);
      case wire::FromWorker::kScanned:
        return take_scanned(wire::decode(message.scanned(), job_.most_places));
      case wire::FromWorker::kTraced:
        return take_traced(message.traced());
      case wire::FromWorker::kVariant:
        return take_variant(message.variant());
      case wire::FromWorker::kOptimized:
        return take_optimized();
      default:
        return false;
    }
  }

  void give_up(const Failure& failure) override {
    take_scanned({});  // nothing is known
    done_ = failed_ = true;
    if (!imported_) {
      ImportOutcome outcome;
      outcome.failure = failure;
      outcome.failure.message = with_doing(failure.message, doing_);
      return import_failed(std::move(outcome));
    }
    for (std::size_t recipe = 0; recipe < answered_.size(); ++recipe) {
      if (answered_[recipe]) continue;
      if (in_doubt(failure)) {
        make_again(recipe, failure);
        continue;
      }
      // The worker itself did nothing but wait for its forks: no recipe is to blame.
      give(recipe, machine("the worker that watched over this recipe ended: " + failure.message, failure));
    }
  }

  /// After the import the worker only watches over forks, which live four times the limit at most, and tells about
  /// each.
  void check_silence(Child& worker) override {
    constexpr double slack = 60;  // seconds
    if (!imported_ || job_.limits.cpu_seconds <= 0) return;
    const double silent = since_heard_.seconds();
    if (silent > 5 * job_.limits.cpu_seconds + slack)
      worker.condemn({Ending::timed_out, "said nothing for " + human_seconds(silent), ""});
  }

 private:
  bool take_imported(const wire::Imported& imported, Child& worker) {
    auto outcome = wire::decode(imported);
    if (!outcome || imported_) return false;
    imported_ = true;
    failed_ = outcome->failure.failed();
    worker.unwatch();
    if (failed_) {
      outcome->failure.last_words = worker.log().last_words();
      import_failed(std::move(*outcome));
    } else if (!only_) {
      outcome->job = id_;
      ledger_.outcomes.emplace_back(std::move(*outcome));
    }
    return true;
  }

  /// Nothing more will be said of the recipes.
  void import_failed(ImportOutcome outcome) {
    answered_.assign(answered_.size(), true);
    if (in_doubt(outcome.failure)) {
      OptimizeJob job = job_;
      job.alone = true;
      do_again(make_optimize_task(id_, std::move(job), scratch_, ledger_), outcome.failure);
    } else if (only_) {
      give(0, machine("the model was imported before, and now it is not: " + outcome.failure.message, outcome.failure));
    } else {
      outcome.job = id_;
      ledger_.outcomes.emplace_back(std::move(outcome));
    }
  }

  static Failure machine(const std::string& message, Failure failure) {
    failure.message = message;
    failure.machine = true;
    return failure;
  }

  void give(std::size_t recipe, const Failure& failure) {
    VariantOutcome outcome;
    outcome.job = id_;
    outcome.recipe = only_.value_or(recipe);
    outcome.failure = failure;
    ledger_.outcomes.emplace_back(std::move(outcome));
  }

  void make_again(std::size_t recipe, const Failure& failure) {
    OptimizeJob job = job_;
    job.alone = true;
    job.most_places = 0;
    job.recipes = {job_.recipes[recipe]};
    job.rewrites.clear();
    if (recipe < job_.rewrites.size()) job.rewrites = {job_.rewrites[recipe]};
    do_again(std::make_unique<OptimizeTask>(id_, std::move(job), scratch_, ledger_, recipe), failure);
  }

  bool take_scanned(std::vector<Place> places) {
    if (!imported_ || failed_ || scanned_ || job_.most_places == 0) return false;
    scanned_ = true;
    ledger_.outcomes.emplace_back(ScanOutcome{id_, std::move(places)});
    return true;
  }

  bool take_traced(const wire::Traced& traced) {
    if (!imported_ || traced.recipe() >= answered_.size() || answered_[traced.recipe()]) return false;
    Traced& so_far = traced_[traced.recipe()];
    for (const wire::RewriteVisit& visit : traced.visits()) {
      so_far.visits.push_back(wire::decode(visit));
      so_far.bytes += wire::bytes_of(so_far.visits.back());
    }
    return so_far.visits.size() <= RewriteTrace::most_traced && so_far.bytes <= wire::most_traced_bytes;
  }

  bool take_variant(const wire::Variant& variant) {
    auto outcome = wire::decode(variant, job_);
    const bool is_early = !imported_ || (!scanned_ && job_.most_places > 0);
    if (is_early || !outcome || answered_[outcome->recipe]) return false;
    answered_[outcome->recipe] = true;
    if (const auto traced = traced_.extract(outcome->recipe))
      outcome->rewrites.visits = std::move(traced.mapped().visits);
    if (outcome->rewrites.visits.size() > outcome->rewrites.count) return false;
    if (in_doubt(outcome->failure)) {
      make_again(outcome->recipe, outcome->failure);
      return true;
    }
    outcome->job = id_;
    outcome->recipe = only_.value_or(outcome->recipe);
    ledger_.outcomes.emplace_back(std::move(*outcome));
    return true;
  }

  bool take_optimized() {
    done_ = imported_ && std::ranges::find(answered_, false) == answered_.end();
    return done_;
  }

  struct Traced {
    std::vector<RewriteVisit> visits;
    std::uint64_t bytes = 0;
  };

  std::optional<std::size_t> only_;
  JobId id_;
  OptimizeJob job_;
  std::filesystem::path scratch_;
  Ledger ledger_;
  std::vector<bool> answered_;            ///< by recipe
  std::map<std::size_t, Traced> traced_;  ///< by recipe, of those that are not answered
  bool imported_ = false;
  bool scanned_ = false;
  std::string doing_;
  Stopwatch since_heard_;
};

}  // namespace

std::unique_ptr<Task> make_optimize_task(JobId id, OptimizeJob job, const std::filesystem::path& scratch,
                                         Ledger ledger) {
  return std::make_unique<OptimizeTask>(id, std::move(job), scratch, ledger);
}

}  // namespace culprit
