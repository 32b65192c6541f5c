#include "repro/keep_fault.h"

#include <fmt/format.h>

#include <chrono>

#include "check/external/external_variant.h"
#include "repro/fault_divergence.h"
#include "repro/frozen_step.h"
#include "repro/repro_contents.h"
#include "repro/second_opinion.h"
#include "repro/smallest_model.h"

namespace culprit {
namespace {

constexpr std::chrono::seconds most_reducing{120};
constexpr std::chrono::seconds most_comparing{60};

class Keeper {
 public:
  Keeper(const Model& model, KeepTools tools) : model_(model), tools_(std::move(tools)) {}

  Result<KeptFault> keep(const FaultCase& shown) const {
    const auto in_steps = shows_in_steps(shown);
    if (!in_steps) return tl::unexpected(in_steps.error());
    const bool is_kept = tools_.explains || tools_.place;
    return *in_steps && is_kept ? keep_frozen(shown) : keep_plain(shown, shown.fault.signature);
  }

 private:
  /// Keeps one step of the sample, which is then a sample as any other.
  Result<KeptFault> keep_frozen(const FaultCase& shown) const {
    begin_phase(tools_.clock, Phase::repro);
    tell(shown.fault.id + ": one step that shows it alone");
    const FreezingTools tools{tools_.executor, tools_.optimizer, tools_.work / ("steps-" + shown.fault.id),
                              tools_.is_time_up};
    return keep_one_step(shown, tools, [&](const FaultCase& frozen) -> Result<KeptFault> {
      if (shown.recipe.optimizer != external_optimizer) return keep_plain(frozen, shown.fault.signature);
      return explained(frozen);  // a repro of two files is made of the whole sample
    });
  }

  /// `signature`: the signature that the report gives the fault.
  Result<KeptFault> keep_plain(const FaultCase& shown, const std::string& signature) const {
    auto explanation = explained(shown);
    if (!explanation) return explanation;
    KeptFault kept = std::move(*explanation);
    // A repro applies passes, and so does what makes it smaller.
    const bool is_made_by_passes = shown.recipe.optimizer != external_optimizer;
    if (!is_made_by_passes) return keep_given(shown, std::move(kept));
    if (!tools_.place) return kept;
    if (tools_.explains) {
      auto smallest = reduce(shown);
      if (!smallest) return tl::unexpected(smallest.error());
      kept.reduced = smallest->record;
      kept.reduced_fingerprint = smallest->fingerprint;
      if (smallest->contents) return write(std::move(*smallest->contents), shown, signature, std::move(kept));
    }
    if (repro_bytes(model_) > most_repro_bytes) return kept;
    auto contents = contents_of(shown, tools_.versions);
    if (!contents) return tl::unexpected(contents.error());
    return write(std::move(*contents), shown, signature, std::move(kept));
  }

  /// What is known of the fault; a repro is not yet kept.
  Result<KeptFault> explained(const FaultCase& shown) const {
    KeptFault kept;
    if (!tools_.explains) return kept;
    if (auto ok = ask_others(shown, kept); !ok) return tl::unexpected(ok.error());
    if (auto ok = find_divergence(shown, kept); !ok) return tl::unexpected(ok.error());
    return kept;
  }

  /// No passes make the file. What is wrong at the deploy level only is the runtime's.
  Result<KeptFault> keep_given(const FaultCase& shown, KeptFault kept) const {
    const bool is_of_file = shown.fault.kind != FaultKind::runtime && shown.fault.kind != FaultKind::control;
    if (!tools_.keep_given || !is_of_file || is_stopped(tools_.is_time_up)) return kept;
    begin_phase(tools_.clock, Phase::repro);
    tell(shown.fault.id + ": the layers that show it");
    auto repro = tools_.keep_given();
    if (!repro) return tl::unexpected(repro.error());
    kept.repro = std::move(*repro);
    return kept;
  }

  Result<void> ask_others(const FaultCase& shown, KeptFault& kept) const {
    if (is_stopped(tools_.is_time_up)) return {};
    begin_phase(tools_.clock, Phase::opinions);
    auto opinion =
        second_opinion(shown, {tools_.executor, tools_.second, tools_.work / "outputs" / "opinion", tools_.evaluator});
    if (!opinion) return tl::unexpected(opinion.error());
    kept.attribution = opinion->attribution;
    kept.evidence = std::move(opinion->cells);
    return {};
  }

  /// Is the time of --budget spent, or `most` from now?
  [[nodiscard]] Stop time_up_after(std::chrono::seconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    return [this, end] { return std::chrono::steady_clock::now() >= end || is_stopped(tools_.is_time_up); };
  }

  Result<void> find_divergence(const FaultCase& shown, KeptFault& kept) const {
    begin_phase(tools_.clock, Phase::divergence);
    tell(shown.fault.id + ": the first mismatch");
    auto found = fault_divergence(
        shown, {tools_.executor, tools_.work / "outputs" / "divergence", time_up_after(most_comparing)});
    if (!found) return tl::unexpected(found.error());
    kept.first_divergence = std::move(found->first);
    kept.first_divergence_message = std::move(found->message);
    return {};
  }

  void tell(const std::string& what) const {
    if (tools_.progress) tools_.progress(what);
  }

  Result<Smallest> reduce(const FaultCase& shown) const {
    begin_phase(tools_.clock, Phase::reducing);
    const fs::path folder = tools_.work / ("reduced-" + shown.fault.id);
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) return fail(ErrorKind::io, "cannot make the folder " + folder.string() + ": " + error.message());
    ReducingTools tools{tools_.executor, tools_.optimizer, folder};
    tools.clock = tools_.clock;
    tools.is_time_up = time_up_after(most_reducing);
    tools.progress = [&](const CaseSize& left, std::size_t checks) {
      tell(fmt::format("reducing {}: {} nodes left, {} checks", shown.fault.id, left.nodes, checks));
    };
    return smallest_case(shown, tools_.versions, tools);
  }

  Result<KeptFault> write(ReproContents contents, const FaultCase& shown, const std::string& signature,
                          KeptFault kept) const {
    begin_phase(tools_.clock, Phase::repro);
    if (kept.first_divergence) contents.first_divergence = kept.first_divergence->message;
    contents.facts.found_signature = signature;
    contents.facts.attribution = kept.attribution.value_or(shown.fault.attribution);
    const ReproPlace place = tools_.place(shown.fault.id);
    if (auto written = write_bundle(contents, place.folder); !written) return tl::unexpected(written.error());
    kept.repro = place.name;
    return kept;
  }

  const Model& model_;
  KeepTools tools_;
};

}  // namespace

KeepFault keeper_of(const Model& model, KeepTools tools) {
  return [keeper = Keeper(model, std::move(tools))](const FaultCase& shown) { return keeper.keep(shown); };
}

}  // namespace culprit
