#include "repro/second_opinion.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/folder.h"
#include "executor/dispatcher.h"
#include "repro/attribution.h"
#include "tensor/pack_file.h"
#include "trial/judgement.h"
#include "trial/plain_reason.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// One run: its cell, and what it gave.
struct Seat {
  AttributionCell cell;
  std::vector<fs::path> outputs;
  [[nodiscard]] bool ran() const { return !outputs.empty(); }
  [[nodiscard]] bool in_float64() const { return cell.precision == "float64"; }
};

class Asking {
 public:
  Asking(const FaultCase& shown, const OpinionTools& tools, const Interface& variant)
      : shown_(shown),
        tools_(tools),
        reference_(reference_of(shown, tools)),
        variant_(runnable(shown.variant, variant, shown.contract, reference_)) {
    if (shown.model.proto != nullptr) known_.natures = natures_of(*shown.model.proto);
    known_.by_draws[{0, 1}] = shown.explained;
  }

  Result<Opinion> ask() {
    const Level deploy = shown_.options.deploy_level;
    const Level off = level_named(shown_.reference_level).value_or(Level::off);
    Opinion opinion;
    Observations seen;
    auto first = pair_at(tools_.executor, off);
    if (!first) return tl::unexpected(first.error());
    seen.variant_off = compared(*first);
    take(*first, opinion);
    if (deploy != Level::off && deploy != off) {
      auto deployed = pair_at(tools_.executor, deploy);
      if (!deployed) return tl::unexpected(deployed.error());
      seen.pair_deployed = compared(*deployed);
      take(*deployed, opinion);
    }
    if (tools_.second != nullptr) {
      auto second = pair_at(*tools_.second, off);
      if (!second) return tl::unexpected(second.error());
      seen.pair_second = compared(*second);
      seen.original_second = seen_of(second->at(0).cell);
      take(*second, opinion);
    }
    if (tools_.evaluator != nullptr && seen.variant_off == Seen::differs) {
      if (auto ok = ask_evaluator(*first, seen, opinion); !ok) return tl::unexpected(ok.error());
    }
    opinion.attribution = attribute(seen);
    return opinion;
  }

 private:
  using Pair = std::array<Seat, 2>;  // original, variant

  [[nodiscard]] RunJob job_of(bool is_variant, Level level) {
    const fs::path folder = tools_.folder / std::to_string(runs_++);
    RunJob job = job_for(is_variant ? *variant_ : RunnableVariant{shown_.model.path, {}, {}, {}}, reference_, folder);
    job.session.level = level;
    job.fresh_process = true;
    return job;
  }

  /// The one sample that shows the fault.
  static Reference reference_of(const FaultCase& shown, const OpinionTools& tools) {
    const auto inputs = read_pack(shown.inputs);
    return {.model = shown.model,
            .options = shown.options,
            .folder = tools.folder,
            .session = shown.session,
            .samples = {shown.inputs},
            .fed = fed_names(inputs.value_or(std::vector<NamedTensor>())),
            .outputs = {shown.expected}};
  }

  Result<Pair> pair_at(Executor& executor, Level level) {
    Pair pair;
    Dispatcher dispatcher(executor);
    for (const bool is_variant : {false, true}) {
      Seat& seat = pair.at(is_variant ? 1 : 0);
      dispatcher.run(job_of(is_variant, level), [this, &seat, is_variant, level](const RunOutcome& outcome) {
        seat.cell = {is_variant ? "variant" : "original", "onnxruntime", outcome.runtime_version,
                     std::string(name_of(level)),         "fails",       0,
                     reason_of(outcome.failure.message)};
        if (!outcome.failure.failed() && outcome.outputs.size() == 1) judge(outcome.outputs, is_variant, seat);
      });
    }
    if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());
    return pair;
  }

  /// float64 may tell that the rewrite changes the meaning. That it does not, the model's own types have to say as
  /// well: two that mean the same in exact arithmetic may part by rounding, or where one overflows, and then nobody's
  /// kernel is to blame; nor where the original itself is another one in float64.
  Result<void> ask_evaluator(const Pair& first, Observations& seen, Opinion& opinion) {
    auto wide = evaluated(true);
    if (!wide) return tl::unexpected(wide.error());
    const bool all_ran = wide->at(0).ran() && wide->at(1).ran();
    const bool is_wide = wide->at(0).in_float64() && wide->at(1).in_float64();
    const bool is_mixed = all_ran && wide->at(0).in_float64() != wide->at(1).in_float64();
    if (!is_mixed) take(*wide, opinion);
    const Seen in_float64 = is_wide ? compared(*wide) : Seen::unknown;
    if (in_float64 == Seen::differs && is_witness(*wide, first)) {
      seen.pair_second = Seen::differs;
      seen.original_second = Seen::agrees;
      return {};
    }
    auto own = is_wide || is_mixed ? evaluated(false) : wide;
    if (!own) return tl::unexpected(own.error());
    if (is_wide || is_mixed) take(*own, opinion);
    const Seen pair = compared(*own);
    const bool rests_on_rounding =
        is_wide && (in_float64 == Seen::differs || seen_of(wide->at(0).cell) == Seen::differs);
    if (!is_witness(*own, first) || (pair == Seen::agrees && rests_on_rounding)) return {};
    seen.pair_second = pair;
    seen.original_second = Seen::agrees;
    return {};
  }

  /// The evaluator is wrong about some operators. One that gives third values is no witness.
  [[nodiscard]] bool is_witness(const Pair& pair, const Pair& first) const {
    if (!pair[0].ran() || !pair[1].ran() || seen_of(pair[0].cell) != Seen::agrees) return false;
    return compared(pair) == Seen::agrees || alike(first[1], pair[1], {}) == Seen::agrees;
  }

  Result<Pair> evaluated(bool in_float64) {
    std::vector<EvaluatorJob> jobs;
    for (const bool is_variant : {false, true}) {
      const RunJob job = job_of(is_variant, Level::off);
      jobs.push_back({job.model, shown_.inputs, job.inputs, in_float64, job.folder, job.limits});
    }
    const auto outcomes = tools_.evaluator->run(jobs);
    if (!outcomes) return tl::unexpected(outcomes.error());
    Pair pair;
    for (std::size_t i = 0; i < pair.size(); ++i) {
      const EvaluatorOutcome& outcome = outcomes->at(i);
      pair[i].cell = {i == 1 ? "variant" : "original",
                      "onnx.reference",
                      tools_.evaluator->version(),
                      "",
                      "fails",
                      0,
                      outcome.failure};
      if (!outcome.failure.empty()) continue;
      judge({outcome.outputs}, i == 1, pair[i]);
      if (outcome.in_float64) pair[i].cell.precision = "float64";
      if (!outcome.why.empty() && pair[i].cell.message.empty()) pair[i].cell.message = "not in float64: " + outcome.why;
    }
    return pair;
  }

  /// Against the reference's own outputs.
  void judge(const std::vector<fs::path>& outputs, bool is_variant, Seat& seat) const {
    seat.outputs = outputs;
    const std::vector<std::size_t> as_they_are;
    const Comparison comparison =
        compared_with({&shown_.expected, 1}, outputs, is_variant ? variant_->binding.outputs : as_they_are);
    const bool differs = verdict_of(comparison.measurements) == Verdict::diverged;
    seat.cell.outcome = differs ? "differs" : "agrees";
    seat.cell.message = differs ? describe(comparison) : "";
    for (const auto& [label, m] : comparison.measurements) seat.cell.max_abs = std::max(seat.cell.max_abs, m.max_abs);
  }

  /// `positions`: where each output of the one stands among those of the other; empty: in the same place.
  [[nodiscard]] Comparison compared_with(std::span<const fs::path> expected, std::span<const fs::path> found,
                                         const std::vector<std::size_t>& positions) const {
    return compare(expected, found, positions, shown_.contract, shown_.options, &known_, {1});
  }

  [[nodiscard]] Seen alike(const Seat& one, const Seat& other, const std::vector<std::size_t>& positions) const {
    if (!one.ran() || !other.ran()) return Seen::unknown;
    const Comparison comparison = compared_with(one.outputs, other.outputs, positions);
    if (!comparison.unreadable.empty()) return Seen::unknown;
    return verdict_of(comparison.measurements) == Verdict::diverged ? Seen::differs : Seen::agrees;
  }

  /// The variant against the original of the same runner and level.
  [[nodiscard]] Seen compared(const Pair& pair) const { return alike(pair[0], pair[1], variant_->binding.outputs); }

  static Seen seen_of(const AttributionCell& cell) {
    if (cell.outcome == "fails") return Seen::unknown;
    return cell.outcome == "differs" ? Seen::differs : Seen::agrees;
  }

  static void take(const Pair& pair, Opinion& opinion) {
    for (const Seat& seat : pair) opinion.cells.push_back(seat.cell);
  }

  const FaultCase& shown_;
  const OpinionTools& tools_;
  Reference reference_;
  RunnablePtr variant_;
  KnownRounding known_;
  int runs_ = 0;
};

}  // namespace

Result<Opinion> second_opinion(const FaultCase& shown, const OpinionTools& tools) {
  if (!has_values(shown)) return Opinion{};
  const auto variant = load_model(shown.variant);
  if (!variant) return Opinion{};
  if (!bind(shown.model.interface, variant->interface, shown.contract)) return Opinion{};
  auto opinion = Asking(shown, tools, variant->interface).ask();
  remove_folder(tools.folder);
  return opinion;
}

}  // namespace culprit
