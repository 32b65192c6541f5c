#include "trial/deploy_level.h"

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "record/level_words.h"
#include "trial/evidence.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t few_samples = 4;    // on so many a distinct variant runs once more
constexpr double as_far = 2;              // times what the runtime does to the original
constexpr std::int64_t much_nearer = 16;  // so many times fewer elements differ

template <class T>
std::vector<T> first(const std::vector<T>& all, std::size_t count) {
  return {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(count, all.size()))};
}

}  // namespace

std::string DeployLevel::level() const { return std::string(name_of(reference_.options.deploy_level)); }

std::size_t DeployLevel::samples_of(const DeployedVariant& variant) const {
  const std::size_t all = reference_.samples.size();
  return variant.on_all ? all : std::min(all, few_samples);
}

bool DeployLevel::is_off() const {
  const Level level = reference_.options.deploy_level;
  return level == Level::off || level == reference_.session.level;
}

RunJob DeployLevel::job_there(const DeployedVariant& variant) const {
  RunJob job = variant.job;
  job.session.level = reference_.options.deploy_level;
  job.samples = first(job.samples, samples_of(variant));
  if (!job.original_took.has_value()) return job;
  job.original_took.reset();  // that was at another level
  job.limits = reference_.options.limits;
  limit_by_pace(job, original_.took, reference_.options);
  return job;
}

fs::path DeployLevel::new_folder() {
  return reference_.folder / "outputs" / ("deployed-" + std::to_string(folders_++));
}

// --- the original -------------------------------------------------------------------------------------------------

void DeployLevel::run_original(std::function<void()> then) {
  if (is_off()) return then();
  RunJob job;
  job.model = reference_.model.path;
  job.session = reference_.session;
  job.session.level = reference_.options.deploy_level;
  job.samples = reference_.samples;
  job.folder = reference_.folder / "reference" / "deployed";
  job.limits = reference_.options.limits;
  dispatcher_.run(std::move(job), [this, then = std::move(then)](const RunOutcome& outcome) {
    original_ = outcome;
    then();
  });
}

void DeployLevel::judge_original() {
  if (is_off()) return;
  take_control(judge_run(original_, unbound_, Contract::equivalent, reference_, judge_.known(),
                         std::vector<int>(reference_.samples.size()), nullptr, false));
  if (control_->measurements.empty()) return;
  there_ = std::make_unique<Reference>(reference_);
  there_->folder = reference_.folder / "outputs" / "deployed";
  there_->session.level = reference_.options.deploy_level;
  there_->outputs = original_.outputs;
  // Drawn at the reference's level: nodes that move values keep the runtime from its fusions and integer kernels.
  judge_there_ = std::make_unique<DrawnJudge>(*there_, judge_);
  const auto judged = [this](const Judgement& judgement) {
    take_control(judgement);
    if (judgement.draws.size() > few_samples && faulty(judgement.verdict)) measure_on_few(judgement.draws);
    is_judged_ = true;
    tell_of_values();
    for (const auto& then : std::exchange(until_judged_, {})) then();
  };
  judge_.judge(original_, unbound_, Contract::equivalent, judged, {.unless_within = true});
}

void DeployLevel::take_control(const Judgement& judgement) {
  control_ = {ControlName::runtime_optimized, judgement.verdict, judgement.message, judgement.measurements};
  if (judgement.measurements.empty()) original_fails(judgement);
}

void DeployLevel::measure_on_few(const std::vector<int>& draws) {
  moved_on_few_ = compare(first(reference_.outputs, few_samples), first(original_.outputs, few_samples), {},
                          Contract::equivalent, reference_.options, &judge_.known(), draws)
                      .measurements;
}

void DeployLevel::tell_of_values() {
  if (control_->verdict != Verdict::diverged || !warnings_.empty()) return;
  warnings_.push_back(
      {"runtime_changes_values", words_of_level(level()) + " the model itself gives other values than " +
                                     words_of_level(name_of(reference_.session.level)) + ": " + control_->message +
                                     "; variants are compared with the model at the same level"});
}

/// Whether the machine failed or the model: variants have nothing to be compared with.
void DeployLevel::original_fails(const Judgement& judgement) {
  warnings_.push_back({"deploy_level_fails", "the model itself cannot be run " + words_of_level(level()) + ": " +
                                                 judgement.message + "; nothing was judged at that level"});
}

// --- variants -----------------------------------------------------------------------------------------------------

/// Is all that differs within what the runtime's own optimizations do to the original? Then nothing can be blamed:
/// other fusions than in the original, and rounding that is known to go as far. Shapes and NaN never are.
bool DeployLevel::as_far_as_the_original(const Measurements& measurements, std::size_t samples) const {
  const Measurements& moved = samples < reference_.samples.size() ? moved_on_few_ : control_->measurements;
  return std::ranges::all_of(measurements, [&](const auto& entry) {
    const Measurement& variant = entry.second;
    if (!faulty(verdict_of(variant))) return true;
    const auto at = moved.find(entry.first);
    if (at == moved.end() || !faulty(verdict_of(at->second))) return false;
    const Measurement& original = at->second;
    const bool is_other_kind = is_structural(variant) || is_structural(original) || variant.nonfinite_mismatch > 0;
    return !is_other_kind && variant.max_abs <= as_far * original.max_abs &&
           static_cast<double>(variant.beyond_floor) <= as_far * static_cast<double>(original.beyond_floor);
  });
}

void DeployLevel::judge(const RunOutcome& outcome, const DeployedVariant& variant, const DrawnJudge::Then& then) {
  if (!is_judged_) return until_judged_.push_back([this, outcome, &variant, then] { judge(outcome, variant, then); });
  if (!is_nearly_the_reference(outcome, variant)) return judge_there(outcome, variant, then);
  const auto judged = [this, then, outcome, &variant](Judgement here) {
    if (here.verdict == Verdict::equivalent) return then(std::move(here));
    judge_there(outcome, variant, then);
  };
  judge_.judge(outcome, variant.made->binding, variant.made->contract, judged,
               {.samples = samples_of(variant), .variant = drawn_variant(*variant.made)});
}

/// Does it give what the original gives without optimizations, but for a few elements, and not what the original gives
/// there? Then the first comparison needs fewer draws: it may need one where the other asks for 27.
bool DeployLevel::is_nearly_the_reference(const RunOutcome& outcome, const DeployedVariant& variant) const {
  if (!moves_the_original()) return false;
  const std::vector<int> no_draws(samples_of(variant));
  const auto differing = [&](const Reference& from, const KnownRounding& known) {
    const Judgement judgement =
        judge_run(outcome, variant.made->binding, variant.made->contract, from, known, no_draws);
    std::int64_t elements = 0;
    for (const auto& [output, m] : judgement.measurements) elements += m.mismatched;
    return elements;
  };
  const std::int64_t there = differing(*there_, judge_there_->known());
  return there > 0 && much_nearer * differing(reference_, judge_.known()) < there;
}

void DeployLevel::judge_there(const RunOutcome& outcome, const DeployedVariant& variant, const DrawnJudge::Then& then) {
  const auto judged = [this, then, outcome, &variant](Judgement judgement) {
    const bool measured = faulty(judgement.verdict) && !judgement.measurements.empty();
    if (!measured || !moves_the_original()) return then(std::move(judgement));
    judge_at_reference(outcome, variant, std::move(judgement), then);
  };
  judge_there_->judge(outcome, variant.made->binding, variant.made->contract, judged,
                      {.samples = samples_of(variant), .variant = drawn_variant(*variant.made)});
}

bool DeployLevel::moves_the_original() const {
  return std::ranges::any_of(control_->measurements, [](const auto& entry) { return entry.second.mismatched > 0; });
}

/// What the variant gives there may be what the original gives without optimizations: then it is right, and it is the
/// original that the runtime moves there. Else it may go no further than the original.
void DeployLevel::judge_at_reference(const RunOutcome& outcome, const DeployedVariant& variant, Judgement there,
                                     const DrawnJudge::Then& then) {
  const std::size_t samples = samples_of(variant);
  const auto judged = [this, then, samples, there = std::move(there)](Judgement here) mutable {
    if (here.verdict == Verdict::equivalent) return then(std::move(here));
    if (!there.decision && as_far_as_the_original(there.measurements, samples)) {
      there.verdict = Verdict::inconclusive;
      there.message += ", but the runtime's optimizations alone move the original about as far";
    }
    then(std::move(there));
  };
  judge_.judge(outcome, variant.made->binding, variant.made->contract, judged, {.samples = samples});
}

void DeployLevel::run(DeployedVariant variant) {
  if (there_ == nullptr) return;
  Entry& entry = entries_.emplace_back();
  entry.variant = std::move(variant);
  run(entry, entry.variant, "");
}

void DeployLevel::run_on_all(const std::shared_ptr<VariantResult>& result) {
  const auto entry = std::ranges::find_if(entries_, [&](const Entry& one) { return one.variant.result == result; });
  if (entry == entries_.end() || entry->variant.made->contract == Contract::partition) return;
  const Verdict verdict = verdict_of(*result->deployed);
  if (samples_of(entry->variant) == reference_.samples.size() || faulty(verdict) || verdict == Verdict::inconclusive)
    return;
  entry->whole = std::make_unique<DeployedVariant>(entry->variant);
  entry->whole->on_all = true;
  run(*entry, *entry->whole, " on all samples");
}

/// `variant`: the entry's, or the same on all samples.
void DeployLevel::run(Entry& entry, const DeployedVariant& variant, const std::string& on) {
  RunJob job = job_there(variant);
  const fs::path folder = job.folder = job.samples.empty() ? fs::path() : new_folder();
  dispatcher_.run(std::move(job),
                  [this, &entry, &variant, folder](const RunOutcome& outcome) {
                    if (variant.on_all && outcome.failure.skipped) return;  // then it stays at what the few showed
                    judge(outcome, variant,
                          [this, &entry, &variant, folder, outputs = outcome.outputs](Judgement judgement) {
                            if (!folder.empty() && !faulty(judgement.verdict)) remove_folder(folder);
                            const auto deployed = entry.variant.result->deployed = std::make_shared<VariantResult>();
                            deployed->judgement = std::move(judgement);
                            deployed->samples = variant.made->contract == Contract::partition ? 0 : samples_of(variant);
                            entry.outputs = outputs;
                            entry.variant.on_all = variant.on_all;
                          });
                  },
                  {Priority::deploy_level, variant.name + " at " + level() + on});
}

bool DeployLevel::is_right_on_all(const VariantResult& result) const {
  if (result.deployed == nullptr || result.deployed->samples < reference_.samples.size()) return false;
  const Verdict verdict = verdict_of(*result.deployed);
  return verdict != Verdict::inconclusive && !faulty(verdict);
}

void DeployLevel::verify(DeployedVariant variant, const OnVerified& then) {
  if (there_ == nullptr) return;
  variant.on_all = true;
  const auto kept = std::make_shared<const DeployedVariant>(std::move(variant));
  RunJob job = job_there(*kept);
  job.folder = new_folder();
  job.fresh_process = true;
  dispatcher_.run(job, [this, kept, folder = job.folder, then](const RunOutcome& outcome) {
    judge(outcome, *kept, [this, kept, folder, then](const Judgement& judgement) {
      then(judgement, level());
      remove_folder(folder);
    });
  });
}

/// Where both are wrong: is it with the same values?
void DeployLevel::compare_with_round_trip(Entry& entry) {
  const auto trip = std::ranges::find_if(entries_, [](const Entry& other) { return other.variant.is_round_trip; });
  if (entry.is_compared || trip == entries_.end() || &*trip == &entry) return;
  entry.is_compared = true;
  VariantResult& own = *entry.variant.result->deployed;
  const VariantResult& trips = *trip->variant.result->deployed;
  if (!faulty(trips.judgement.verdict)) return;
  const Comparison between =
      compare(trip->outputs, entry.outputs, entry.variant.made->binding.outputs, entry.variant.made->contract,
              reference_.options, &judge_.known(), own.judgement.draws);
  own.as_round_trip = wrong_as_round_trip(own.judgement.measurements, trips.judgement.measurements,
                                          between.measurements, reference_.options.strict);
}

void DeployLevel::confirm() {
  for (Entry& entry : entries_) {
    VariantResult& deployed = *entry.variant.result->deployed;
    if (deployed.asked > 0 || !faulty(deployed.judgement.verdict)) continue;
    compare_with_round_trip(entry);
    deployed.asked = reference_.options.confirmations;
    confirm(entry);
  }
}

void DeployLevel::confirm(const Entry& entry) {
  const auto deployed = entry.variant.result->deployed;
  for (int i = 0; i < deployed->asked; ++i) {
    RunJob job = job_there(entry.variant);
    const fs::path folder = job.folder = job.samples.empty() ? fs::path() : new_folder();
    job.fresh_process = true;
    job.alone = may_be_pressure(deployed->judgement.verdict);
    dispatcher_.run(std::move(job), [this, &entry, deployed, folder](const RunOutcome& outcome) {
      judge(outcome, entry.variant, [deployed, folder](const Judgement& again) {
        if (again.verdict == deployed->judgement.verdict) ++deployed->confirmed;
        if (!folder.empty()) remove_folder(folder);
      });
    });
  }
}

std::string DeployLevel::told(const Judgement& judgement, Contract contract) const {
  const std::string off(name_of(reference_.session.level));
  const bool moves = control_ && faulty(control_->verdict);
  return words_of_level(level()) + ": " + judgement.message + "; it " +
         (contract == Contract::partition ? "loads" : "is right") + " at level " + off + ", and the original " +
         (moves ? "runs at both levels, with other values" : "is right at both levels") +
         ", so the runtime mishandles what the optimizer leaves";
}

}  // namespace culprit
