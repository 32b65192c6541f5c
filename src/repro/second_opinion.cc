#include "repro/second_opinion.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "check/attribution.h"
#include "check/bound_inputs.h"
#include "check/desk.h"
#include "check/folders.h"
#include "check/judgement.h"
#include "check/reason.h"
#include "tensor/pack.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// One run: its cell, and what it gave.
struct Seat {
  AttributionCell cell;
  std::vector<fs::path> outputs;
  [[nodiscard]] bool ran() const { return !outputs.empty(); }
};

class Asking {
 public:
  Asking(const FaultCase& shown, const OpinionTools& tools, Interface variant, Binding binding)
      : shown_(shown), tools_(tools), variant_(std::move(variant)), binding_(std::move(binding)) {
    for (const auto& [label, floor] : shown.floors) floors_.outputs[label].abs = floor;
    for (const auto& [label, ties] : shown.ties) {
      for (const std::int64_t tie : ties) {
        auto& marked = floors_.ties[{0, label}];
        if (marked.size() <= static_cast<std::size_t>(tie)) marked.resize(static_cast<std::size_t>(tie) + 1);
        marked[static_cast<std::size_t>(tie)] = 1;
      }
    }
  }

  Result<Opinion> ask() {
    const Level deploy = shown_.options.deploy_level;
    const Level off = level_named(shown_.reference_level).value_or(Level::off);
    Opinion opinion;
    Sightings seen;
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
    opinion.attribution = attribute(seen);
    return opinion;
  }

 private:
  using Pair = std::array<Seat, 2>;  // original, variant

  [[nodiscard]] RunJob job_for(bool is_variant, Level level) {
    RunJob job;
    job.model = is_variant ? shown_.variant : shown_.model.path;
    job.session = shown_.session;
    job.session.level = level;
    job.limits = shown_.options.limits;
    job.samples = {shown_.inputs};
    job.fresh_process = true;
    job.folder = tools_.folder / std::to_string(runs_++);
    if (is_variant) job.inputs = bound_inputs(binding_, variant_, fed());
    return job;
  }

  [[nodiscard]] std::vector<std::string> fed() const {
    std::vector<std::string> names;
    const auto inputs = read_pack(shown_.inputs);
    if (!inputs) return names;
    for (const NamedTensor& input : *inputs) {
      if (names.empty() || names.back() != input.name) names.push_back(input.name);
    }
    return names;
  }

  Result<Pair> pair_at(Executor& executor, Level level) {
    Pair pair;
    Desk desk(executor);
    for (const bool is_variant : {false, true}) {
      Seat& seat = pair.at(is_variant ? 1 : 0);
      desk.run(job_for(is_variant, level), [this, &seat, is_variant, level](const RunOutcome& outcome) {
        seat.cell = {is_variant ? "variant" : "original", "onnxruntime", outcome.runtime_version,
                     std::string(name_of(level)),         "fails",       0,
                     reason_of(outcome.failure.message)};
        if (!outcome.failure.failed() && outcome.outputs.size() == 1) judge(outcome.outputs, is_variant, seat);
      });
    }
    if (auto ok = desk.drain(); !ok) return tl::unexpected(ok.error());
    return pair;
  }

  /// Against the reference's own outputs.
  void judge(const std::vector<fs::path>& outputs, bool is_variant, Seat& seat) const {
    seat.outputs = outputs;
    const Comparison comparison = compared_with({&shown_.expected, 1}, outputs, is_variant);
    const bool differs = verdict_of(comparison.measurements) == Verdict::diverged;
    seat.cell.outcome = differs ? "differs" : "agrees";
    seat.cell.message = differs ? describe(comparison) : "";
    for (const auto& [label, m] : comparison.measurements) seat.cell.max_abs = std::max(seat.cell.max_abs, m.max_abs);
  }

  [[nodiscard]] Comparison compared_with(std::span<const fs::path> expected, std::span<const fs::path> found,
                                         bool is_variant) const {
    const std::vector<std::size_t> as_they_are;
    return compare(expected, found, is_variant ? binding_.outputs : as_they_are, shown_.contract, shown_.options,
                   floors_, 1);
  }

  /// The variant against the original of the same runner and level.
  [[nodiscard]] Seen compared(const Pair& pair) const {
    if (!pair[0].ran() || !pair[1].ran()) return Seen::unknown;
    const Comparison comparison = compared_with(pair[0].outputs, pair[1].outputs, true);
    if (!comparison.unreadable.empty()) return Seen::unknown;
    return verdict_of(comparison.measurements) == Verdict::diverged ? Seen::differs : Seen::agrees;
  }

  static Seen seen_of(const AttributionCell& cell) {
    if (cell.outcome == "fails") return Seen::unknown;
    return cell.outcome == "differs" ? Seen::differs : Seen::agrees;
  }

  static void take(const Pair& pair, Opinion& opinion) {
    for (const Seat& seat : pair) opinion.cells.push_back(seat.cell);
  }

  const FaultCase& shown_;
  const OpinionTools& tools_;
  Interface variant_;
  Binding binding_;
  Floors floors_;
  int runs_ = 0;
};

}  // namespace

Result<Opinion> second_opinion(const FaultCase& shown, const OpinionTools& tools) {
  const bool has_values = shown.fault.verdict == Verdict::diverged && shown.contract != Contract::partition;
  if (!has_values || shown.variant.empty() || shown.inputs.empty() || shown.expected.empty()) return Opinion{};
  const auto variant = load_model(shown.variant);
  if (!variant) return Opinion{};
  auto binding = bind(shown.model.interface, variant->interface, shown.contract);
  if (!binding) return Opinion{};
  auto opinion = Asking(shown, tools, variant->interface, std::move(*binding)).ask();
  remove_folder(tools.folder);
  return opinion;
}

}  // namespace culprit
