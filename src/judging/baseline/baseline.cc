#include "baseline/baseline.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <optional>
#include <span>
#include <system_error>

#include "base/text.h"
#include "baseline/further_samples.h"
#include "baseline/refusal_message.h"
#include "baseline/refused_samples.h"
#include "baseline/written_samples.h"
#include "model/lead_to_outputs.h"
#include "trial/plain_reason.h"
#include "trial/weak_data.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_redraws = 4;  // that run

/// One proposal's run of the reference.
struct Trial {
  RunOutcome outcome;
  std::vector<fs::path> samples;
  std::vector<std::string> fed;
  SessionOptions session;
  FurtherSamples further;

  [[nodiscard]] bool failed() const { return outcome.failure.failed() || outcome.outputs.size() != samples.size(); }
  [[nodiscard]] bool at_load() const {
    return outcome.failure.failed() &&
           (outcome.stage == RunOutcome::Stage::load || outcome.stage == RunOutcome::Stage::start);
  }
};

class BaselineSearch {
 public:
  BaselineSearch(Dispatcher& dispatcher, Reference reference, ModelReport& report)
      : dispatcher_(dispatcher), reference_(std::move(reference)), report_(report) {}

  /// Where nothing runs it has no samples, and keeps the first that was refused.
  Result<Reference> reference(std::span<const Proposal> proposals, const Progress& progress) && {
    if (auto ok = search(proposals, progress); !ok) return tl::unexpected(ok.error());
    return std::move(reference_);
  }

 private:
  Result<void> search(std::span<const Proposal> proposals, const Progress& progress) {
    std::optional<Trial> first;
    std::vector<const Proposal*> tried;
    for (std::size_t i = 0; i < proposals.size(); ++i) {
      const Proposal& proposal = proposals[i];
      if (proposal.begins_as_before && !began_) continue;
      if (progress && i > 0)
        progress(0, 0, "the reference, guess " + std::to_string(tried.size() + 1) + " at its inputs");
      auto trial =
          try_loading(proposal).and_then([&](Trial loaded) { return leave_out_refused(proposal, std::move(loaded)); });
      if (!trial) return tl::unexpected(trial.error());
      if (!trial->failed()) return go_on_with(proposal, std::move(*trial));
      began_ = !trial->outcome.outputs.empty();
      tried.push_back(&proposal);
      remove_all(trial->outcome.outputs);
      const bool is_hopeless = trial->at_load() || trial->outcome.failure.ending == Ending::timed_out;
      note_refused_sizes(proposal, trial->outcome.failure);
      if (!first) {
        report_data(proposal);
        first = std::move(*trial);
      } else {
        remove_all(trial->samples);
      }
      if (is_hopeless) break;
    }
    return first ? refuse(*first, tried) : Result<void>();
  }

  Result<void> go_on_with(const Proposal& proposal, Trial trial) {
    if (auto ok = add_further(proposal, trial); !ok) return ok;
    accept(proposal, std::move(trial));
    if (proposal.begins_as_before && !refused_sizes_.empty()) report_.data.choices.push_back(refused_sizes_);
    auto ok = weigh_values(proposal);
    count_samples(proposal.size() - refused_.size());
    tell_refused(proposal);
    tell_further();
    return ok;
  }

  static bool may_load_otherwise(const RunOutcome& outcome) {
    const bool refused = outcome.failure.failed() && outcome.stage == RunOutcome::Stage::load;
    return refused && outcome.failure.ending != Ending::timed_out;
  }

  /// Once at the level that is judged, and if the model does not load there, at `basic`.
  Result<Trial> try_loading(const Proposal& proposal) {
    auto samples = write_samples(proposal, reference_.folder / "samples" / std::to_string(runs_), ends());
    if (!samples) return tl::unexpected(samples.error());
    auto trial = run(*samples, Level::off);
    if (!trial || !may_load_otherwise(trial->outcome)) return trial;
    auto second = run(*samples, Level::basic);
    if (!second) return second;
    return second->at_load() ? trial : second;
  }

  /// Given samples that the model refuses are left out, if it runs on others.
  Result<Trial> leave_out_refused(const Proposal& proposal, Trial first) {
    refused_.clear();
    const DataSource source = proposal.facts.source;
    if (source == DataSource::synthesized || source == DataSource::none) return first;
    std::optional<Trial> last;
    auto without = run_without_refused({first.outcome, first.samples},
                                       [&](const std::vector<fs::path>& packs) -> Result<RanSamples> {
                                         auto again = run({packs, first.fed}, first.session.level);
                                         if (!again) return tl::unexpected(again.error());
                                         last = std::move(*again);
                                         return RanSamples{last->outcome, last->samples};
                                       });
    if (!without) return tl::unexpected(without.error());
    refused_ = std::move(without->refused);
    return refused_.empty() ? std::move(first) : std::move(*last);
  }

  void tell_refused(const Proposal& proposal) {
    if (refused_.empty()) return;
    report_.data.samples = static_cast<std::int64_t>(reference_.samples.size() - reference_.further);
    report_.warnings.push_back(refused_samples_warning(refused_, proposal, dispatcher_.interrupted()));
    for (const RefusedSample& one : refused_) remove_all({one.pack});
  }

  Result<Trial> run(const WrittenSamples& samples, Level level) {
    Trial trial;
    trial.samples = samples.packs;
    trial.fed = samples.fed;
    trial.session = reference_.options.session;
    trial.session.level = level;
    RunJob job;
    job.model = reference_.model.path;
    job.session = trial.session;
    job.samples = samples.packs;
    job.folder = reference_.folder / "reference" / (std::to_string(runs_++) + "-" + std::string(name_of(level)));
    job.limits = reference_.options.limits;
    job.is_enough = dispatcher_.time_is_spent();
    dispatcher_.run(std::move(job), [&](const RunOutcome& outcome) { trial.outcome = outcome; });
    if (auto ok = dispatcher_.drain(); !ok) return tl::unexpected(ok.error());
    const Failure& failure = trial.outcome.failure;
    if (failure.machine) return fail(ErrorKind::io, "the reference could not be run: " + reason_of(failure.message));
    if (failure.skipped) keep_what_ran(trial);
    return trial;
  }

  [[nodiscard]] WritingEnds ends() const { return {dispatcher_.time_is_spent(), dispatcher_.interrupted()}; }

  /// Time was up: the samples that ran are all there are.
  static void keep_what_ran(Trial& trial) {
    const std::size_t ran = std::min(trial.outcome.outputs.size(), trial.samples.size());
    if (ran == 0) return;
    remove_all({trial.samples.begin() + static_cast<std::ptrdiff_t>(ran), trial.samples.end()});
    trial.samples.resize(ran);
    trial.outcome.failure = {};
    trial.outcome.stage = RunOutcome::Stage::done;
  }

  /// Of those that were asked for, those that are judged with.
  void count_samples(std::size_t asked) {
    const std::size_t count = reference_.samples.size() - reference_.further;
    if (count == asked) return;
    dispatcher_.must_skip(std::to_string(asked - count) + " of " + std::to_string(asked) + " samples");
    report_.data.samples = static_cast<std::int64_t>(count);
    if (count < 2) report_.data.other_dims.clear();  // of every second sample
  }

  /// Behind the first sample, so that the last ones stay those that may be directed.
  Result<void> add_further(const Proposal& proposal, Trial& trial) {
    const std::string number = std::to_string(runs_) + "-further";
    const FurtherRun where{trial.session, reference_.folder / "samples" / number,
                           reference_.folder / "reference" / number};
    auto further = run_further(dispatcher_, reference_, proposal, where, trial.outcome.outputs);
    if (!further) return tl::unexpected(further.error());
    trial.further = std::move(*further);
    trial.samples.insert(trial.samples.begin() + 1, trial.further.samples.begin(), trial.further.samples.end());
    auto& outputs = trial.outcome.outputs;
    outputs.insert(outputs.begin() + 1, trial.further.outputs.begin(), trial.further.outputs.end());
    return {};
  }

  void tell_further() {
    std::vector<std::string>& choices = report_.data.choices;
    if (!further_.samples.empty()) report_.data.samples = static_cast<std::int64_t>(reference_.samples.size());
    for (std::size_t i = 0; i < further_.words.size(); ++i) {
      choices.push_back("sample " + std::to_string(i + 1) + ": " + further_.words[i]);
    }
    choices.insert(choices.end(), further_.refused.begin(), further_.refused.end());
  }

  static void remove_all(const std::vector<fs::path>& files) {
    std::error_code ignored;
    for (const fs::path& file : files) fs::remove(file, ignored);
  }

  void report_data(const Proposal& proposal) {
    report_.data = proposal.facts;
    report_.warnings = proposal.warnings;
  }

  void accept(const Proposal& proposal, Trial trial) {
    report_data(proposal);
    const std::string& level = trial.outcome.level;
    report_.baseline.reference_level = level.empty() ? std::string(name_of(trial.session.level)) : level;
    reference_.session = trial.session;
    reference_.samples = std::move(trial.samples);
    reference_.fed = std::move(trial.fed);
    reference_.outputs = trial.outcome.outputs;
    reference_.took = trial.outcome.took;
    reference_.runtime = trial.outcome.runtime_version;
    reference_.further = trial.further.samples.size();
    further_ = std::move(trial.further);
  }

  /// Of samples that begin alike: the sizes that were refused in every second one, and why.
  void note_refused_sizes(const Proposal& proposal, const Failure& failure) {
    if (!proposal.begins_as_before) refused_sizes_.clear();
    if (!began_ || !refused_sizes_.empty() || proposal.facts.other_dims.empty()) return;
    std::vector<std::string> sizes;
    for (const auto& [name, size] : proposal.facts.other_dims) sizes.push_back(name + "=" + std::to_string(size));
    refused_sizes_ = "it does not run with " + printable(join(sizes, ", "), 200) + " (" +
                     printable(reason_of(failure.message), 200) + ")";
  }

  /// Large, tiny and zero numbers must not be the reason for NaN and infinities: where the samples that hold some gave
  /// more of them than the first one, which holds none, plain ones are taken if they give fewer.
  Result<void> weigh_values(const Proposal& accepted) {
    if (!accepted.plain) return weigh(accepted);
    const auto varied = shares_not_finite(reference_.outputs, dispatcher_.interrupted());
    if (!varied) return tl::unexpected(varied.error());
    const auto most = [](const std::vector<double>& shares) { return *std::ranges::max_element(shares); };
    if (varied->empty() || most(*varied) <= varied->front()) return weigh(accepted);
    const Proposal plain = accepted.plain();
    auto samples = write_samples(plain, reference_.folder / "samples" / std::to_string(runs_), ends());
    if (!samples) return tl::unexpected(samples.error());
    auto trial = run(*samples, reference_.session.level);
    if (!trial) return tl::unexpected(trial.error());
    if (!trial->failed()) {
      if (auto ok = add_further(plain, *trial); !ok) return ok;
    }
    const auto shares = trial->failed() ? varied : shares_not_finite(trial->outcome.outputs, dispatcher_.interrupted());
    if (!shares) return tl::unexpected(shares.error());
    const bool is_taken = most(*shares) < most(*varied);
    remove_all(is_taken ? reference_.samples : trial->samples);
    remove_all(is_taken ? reference_.outputs : trial->outcome.outputs);
    if (!is_taken) return weigh(accepted);
    const DataFacts facts = report_.data;
    accept(plain, std::move(*trial));
    report_.data = facts;
    report_.data.choices.emplace_back("plain numbers: zeros, tiny and large ones gave NaN or infinities");
    return weigh(accepted);
  }

  /// Samples on which no output says anything are drawn again, if nobody gave them; if none says anything, the first
  /// stay.
  Result<void> weigh(const Proposal& accepted) {
    const auto first = weakness_of(reference_.samples, reference_.outputs, dispatcher_.interrupted());
    if (!first) return tl::unexpected(first.error());
    std::size_t redrawn = 0;
    for (std::size_t way = 0; first->says_nothing && way < accepted.redraws && redrawn < most_redraws; ++way) {
      if (dispatcher_.must_skip("other samples")) break;
      auto proposal = accepted.redraw(way);
      if (!proposal) continue;  // too large, in these values
      const auto weakness = try_again(*proposal, redrawn);
      if (!weakness) return tl::unexpected(weakness.error());
      if (*weakness && !(*weakness)->says_nothing) {
        report_.warnings.insert(report_.warnings.begin(), accepted.warnings.begin(), accepted.warnings.end());
        report_.warnings.push_back(redrawn_warning(*first, *proposal));
        report_weakness(**weakness, *proposal, redrawn);
        return {};
      }
    }
    report_weakness(*first, accepted, redrawn);
    return {};
  }

  /// Takes these samples if they say something. Nothing where the model does not run on them.
  Result<std::optional<Weakness>> try_again(const Proposal& proposal, std::size_t& redrawn) {
    auto samples = write_samples(proposal, reference_.folder / "samples" / std::to_string(runs_), ends());
    if (!samples) return tl::unexpected(samples.error());
    auto trial = run(*samples, reference_.session.level);
    if (!trial) return tl::unexpected(trial.error());
    if (trial->failed()) {
      remove_all(trial->samples);
      return std::nullopt;
    }
    ++redrawn;
    if (auto ok = add_further(proposal, *trial); !ok) return tl::unexpected(ok.error());
    const auto weakness = weakness_of(trial->samples, trial->outcome.outputs, dispatcher_.interrupted());
    if (!weakness) return tl::unexpected(weakness.error());
    const bool is_taken = !weakness->says_nothing;
    remove_all(is_taken ? reference_.samples : trial->samples);
    remove_all(is_taken ? reference_.outputs : trial->outcome.outputs);
    if (is_taken) accept(proposal, std::move(*trial));
    return *weakness;
  }

  void report_weakness(const Weakness& weakness, const Proposal& proposal, std::size_t redrawn) {
    report_.baseline.weak = weakness.weak;
    if (const auto& proto = reference_.model.proto; proto != nullptr && !weakness.weak.empty()) {
      const auto constant = constant_outputs(proto->graph());
      for (WeakOutput& weak : report_.baseline.weak) weak.is_constant = constant.contains(weak.output);
    }
    if (weakness.says_nothing) {
      report_.baseline.status = BaselineStatus::weak_data;
      report_.baseline.message = weak_data_message(weakness, proposal, reference_.model.interface, redrawn);
    } else if (!weakness.weak.empty()) {
      report_.warnings.push_back(weak_output_warning(weakness.weak));
    }
    if (!weakness.partly_nan.empty()) report_.warnings.push_back(partly_nan_warning(weakness.partly_nan));
  }

  Result<void> refuse(const Trial& trial, std::span<const Proposal* const> tried) {
    const bool at_load = trial.at_load();
    report_.baseline.status = at_load ? BaselineStatus::does_not_load : BaselineStatus::does_not_run;
    Refusal refusal{trial.outcome.failure, reference_.options.limits, reference_.model.interface,
                    reference_.model.proto.get()};
    if (at_load) {
      if (auto ok = look_for_node(trial, refusal); !ok) return ok;
    }
    report_.baseline.message = at_load ? load_message(refusal) : run_message(refusal, tried);
    reference_.session = trial.session;
    const Ending ending = trial.outcome.failure.ending;
    const bool is_refusal = ending == Ending::threw || ending == Ending::crashed;  // what hangs may hang elsewhere
    if (is_refusal && !trial.samples.empty()) reference_.refused = trial.samples.front();
    return {};
  }

  /// A loader that crashes or takes too long is not asked again and again.
  Result<void> look_for_node(const Trial& trial, Refusal& refusal) {
    const bool is_refused =
        trial.outcome.stage == RunOutcome::Stage::load && trial.outcome.failure.ending == Ending::threw;
    if (!is_refused || dispatcher_.must_skip("the node that is refused")) return {};
    RunJob as;
    as.session = trial.session;
    as.samples = trial.samples;
    as.limits = reference_.options.limits;
    auto found = find_refused_node(dispatcher_, reference_.model, as, reference_.folder / "outputs" / "refused");
    if (!found) return tl::unexpected(found.error());
    refusal.node = std::move(*found);
    return {};
  }

  Dispatcher& dispatcher_;
  Reference reference_;  // in the making
  ModelReport& report_;
  std::size_t runs_ = 0;  // of the reference: each has folders of its own
  bool began_ = false;    // the last one that was refused ran on its first sample
  std::string refused_sizes_;
  FurtherSamples further_;  // of what was accepted
  std::vector<RefusedSample> refused_;
};

}  // namespace

Result<Reference> establish_baseline(const std::vector<Proposal>& proposals, Dispatcher& dispatcher, const Model& model,
                                     const TrialOptions& options, const std::filesystem::path& folder,
                                     ModelReport& report, const Progress& progress) {
  const auto is_empty = [](const Proposal& proposal) { return proposal.size() == 0; };
  if (proposals.empty() || std::ranges::any_of(proposals, is_empty)) {
    return fail(ErrorKind::internal, "there are no samples to judge the model with");  // all would seem well
  }
  return BaselineSearch(dispatcher, {model, options, folder}, report).reference(proposals, progress);
}

}  // namespace culprit
