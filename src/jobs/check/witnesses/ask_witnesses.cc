#include "check/witnesses/ask_witnesses.h"

#include <algorithm>

#include "base/folder.h"
#include "base/text.h"
#include "compare/first_divergence.h"
#include "compare/first_parting.h"
#include "executor/run_all.h"
#include "executor/run_and_wait.h"
#include "trial/plain_reason.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_witnessed_samples = 3;

std::string name_of_witness(const WitnessRecord& witness) { return witness.runner + " " + witness.version; }

/// Of values inside there are no draws: the tolerance alone tells.
bool is_beyond_tolerance(const Tensor& one, const Tensor& other, const Tolerance& tolerance) {
  return verdict_of(measure(one, other, tolerance)) == Verdict::diverged;
}

class Hearing {
 public:
  Hearing(Dispatcher& dispatcher, Judging& by, const std::vector<Witness>& witnesses)
      : dispatcher_(dispatcher), by_(by), witnesses_(witnesses), folder_(by.reference.folder / "outputs" / "witness") {
    const Reference& reference = by.reference;
    job_.model = reference.model.path;
    job_.session = reference.session;
    job_.limits = reference.options.limits;
    job_.fresh_process = true;
    const std::size_t count = std::min(most_witnessed_samples, reference.samples.size() - reference.directed);
    job_.samples.assign(reference.samples.begin(), reference.samples.begin() + static_cast<std::ptrdiff_t>(count));
  }

  Result<WitnessesHeard> hear(bool trusts_runtime) {
    heard_.record.is_trusted = trusts_runtime;
    for (const Witness& witness : witnesses_)
      if (auto ok = ask(witness); !ok) return tl::unexpected(ok.error());
    set_aside();
    if (auto ok = tell_of_difference(); !ok) return tl::unexpected(ok.error());
    remove_folder(folder_);
    return std::move(heard_);
  }

 private:
  Result<void> ask(const Witness& witness) {
    RunJob job = job_;
    job.folder = folder_ / std::to_string(heard_.record.asked.size());
    if (auto ok = make_folder(job.folder); !ok) return ok;
    auto outcome = witness.run(job);
    if (!outcome) return tl::unexpected(outcome.error());
    WitnessRecord& record = heard_.record.asked.emplace_back();
    shown_in_.push_back(0);
    record.runner = witness.runner;
    record.version = outcome->runtime_version;
    record.outcome = "fails";
    record.message = reason_of(outcome->failure.message);
    if (ran(*outcome, job.samples.size())) return judge(*outcome, record);
    return {};
  }

  Result<void> judge(const RunOutcome& outcome, WitnessRecord& record) {
    const Binding as_it_is;
    const auto judged = [&](const Judgement& judgement) {
      const bool agrees = judgement.verdict == Verdict::equivalent || judgement.verdict == Verdict::deviates;
      record.outcome = agrees ? "agrees" : judgement.verdict == Verdict::diverged ? "differs" : "fails";
      record.message = agrees ? "" : judgement.message;
      shown_in_.back() = judgement.shown_in;
      for (const auto& [label, m] : judgement.measurements) record.max_abs = std::max(record.max_abs, m.max_abs);
    };
    by_.judge.judge(outcome, as_it_is, Contract::equivalent, judged,
                    {.samples = job_.samples.size(), .unless_within = true});
    return dispatcher_.drain();
  }

  /// One that contradicts the original and another one that agrees with it.
  void set_aside() {
    auto& asked = heard_.record.asked;
    const auto agrees = std::ranges::find(asked, "agrees", &WitnessRecord::outcome);
    if (agrees == asked.end()) return;
    for (WitnessRecord& witness : asked) {
      if (witness.outcome != "differs") continue;
      witness.set_aside = true;
      heard_.warnings.push_back({"witness_set_aside", name_of_witness(witness) +
                                                          " gives other values for the model itself (" +
                                                          witness.message + "), but " + name_of_witness(*agrees) +
                                                          " gives those of the runtime, so it is not counted"});
    }
  }

  Result<void> tell_of_difference() {
    const auto& asked = heard_.record.asked;
    const auto differs = std::ranges::find_if(
        asked, [](const WitnessRecord& witness) { return witness.outcome == "differs" && !witness.set_aside; });
    if (differs == asked.end()) return {};
    const auto number = static_cast<std::size_t>(differs - asked.begin());
    const Witness& witness = witnesses_[number];
    RunJob job = job_;
    job.samples = {job_.samples[shown_in_[number]]};
    const TwoWays ways{in_reference_runtime(), witness.run, [&](const Tensor& one, const Tensor& other) {
                         return is_beyond_tolerance(one, other, by_.reference.options.tolerance);
                       }};
    const auto first = first_parting(by_.reference.model, job, folder_ / "inside", ways);
    if (!first) return tl::unexpected(first.error());
    if (first->has_value()) heard_.record.first_node = (*first)->node;
    heard_.warnings.push_back({"runtimes_differ", difference_text(*differs)});
    return {};
  }

  [[nodiscard]] std::string difference_text(const WitnessRecord& differs) const {
    const WitnessesRecord& record = heard_.record;
    std::string text = "onnxruntime " + by_.reference.runtime + " and " + name_of_witness(differs) +
                       " differ on the model itself, with optimizations off: " + differs.message;
    if (record.first_node) text += "; first mismatch at " + printable(text_of(std::vector{*record.first_node}), 200);
    for (const WitnessRecord& other : record.asked)
      if (&other != &differs && other.outcome == "differs") text += "; " + name_of_witness(other) + " differs as well";
    if (record.is_trusted) return text + "; no pass is blamed for it, and the first is trusted (--trust-runtime)";
    return text +
           "; no pass is blamed for it, but what is judged by a wrong reference says little (exit code 3): find out "
           "which one is right, and run with that one as --runtime and with --trust-runtime";
  }

  RunOnce in_reference_runtime() {
    return [this](const RunJob& job) { return run_and_wait(dispatcher_, job); };
  }

  Dispatcher& dispatcher_;
  Judging& by_;
  const std::vector<Witness>& witnesses_;
  fs::path folder_;
  RunJob job_;
  std::vector<std::size_t> shown_in_;  // of each witness: the first sample that differs
  WitnessesHeard heard_;
};

}  // namespace

Result<WitnessesHeard> ask_witnesses(Dispatcher& dispatcher, Judging& by, const std::vector<Witness>& witnesses,
                                     bool trusts_runtime) {
  return Hearing(dispatcher, by, witnesses).hear(trusts_runtime);
}

Result<std::string> who_runs_it(Dispatcher& dispatcher, const std::vector<Witness>& witnesses,
                                const Reference& reference) {
  if (reference.refused.empty() || witnesses.empty() || dispatcher.must_skip("whether others run the model")) return "";
  RunJob job;
  job.model = reference.model.path;
  job.session = reference.session;
  job.samples = {reference.refused};
  job.folder = reference.folder / "outputs" / "witness";
  job.limits = reference.options.limits;
  std::string text;
  for (const Witness& witness : witnesses) {
    if (auto ok = make_folder(job.folder); !ok) return tl::unexpected(ok.error());
    const auto outcome = witness.run(job);
    remove_folder(job.folder);
    if (!outcome) return tl::unexpected(outcome.error());
    text += "; " + witness.runner + " " + outcome->runtime_version;
    text += ran(*outcome, 1) ? " runs it, so the model itself can be run"
                             : " does not run it, either: " + reason_of(outcome->failure.message);
  }
  return text;
}

}  // namespace culprit
