#include "cli/keep_fault.h"

#include <fmt/format.h>

#include "check/external/external_variant.h"
#include "cli/version.h"
#include "repro/fault_divergence.h"
#include "repro/repro_contents.h"
#include "repro/second_opinion.h"
#include "repro/smallest_model.h"

namespace culprit {
namespace {

constexpr std::chrono::seconds most_reducing{120};
constexpr std::chrono::seconds most_comparing{60};

class Keeper {
 public:
  Keeper(Run& run, const Model& model, fs::path work, std::function<bool()> is_time_up)
      : run_(run), model_(model), work_(std::move(work)), is_time_up_(std::move(is_time_up)) {}

  Result<KeptFault> keep(const FaultCase& shown) const {
    KeptFault kept;
    if (run_.options.localize) {
      if (auto ok = ask_others(shown, kept); !ok) return tl::unexpected(ok.error());
      if (auto ok = find_divergence(shown, kept); !ok) return tl::unexpected(ok.error());
    }
    // A repro applies passes, and so does what makes it smaller.
    const bool is_made_by_passes = shown.recipe.optimizer != external_optimizer;
    if (!run_.arguments.keep_repros || !is_made_by_passes) return kept;
    if (run_.options.localize) {
      auto smallest = reduce(shown);
      if (!smallest) return tl::unexpected(smallest.error());
      kept.reduced = smallest->record;
      kept.reduced_fingerprint = smallest->fingerprint;
      if (smallest->contents) return write(std::move(*smallest->contents), shown, std::move(kept));
    }
    if (repro_bytes(model_) > most_repro_bytes) return kept;
    auto contents = contents_of(shown, versions());
    if (!contents) return tl::unexpected(contents.error());
    return write(std::move(*contents), shown, std::move(kept));
  }

 private:
  Result<void> ask_others(const FaultCase& shown, KeptFault& kept) const {
    if (is_stopped(is_time_up_)) return {};
    auto opinion =
        second_opinion(shown, {*run_.executor, run_.second.get(), work_ / "outputs" / "opinion", run_.evaluator.get()});
    if (!opinion) return tl::unexpected(opinion.error());
    kept.attribution = opinion->attribution;
    kept.evidence = std::move(opinion->cells);
    return {};
  }

  /// Is the time of --budget spent, or `most` from now?
  [[nodiscard]] Stop time_up_after(std::chrono::seconds most) const {
    const auto end = std::chrono::steady_clock::now() + most;
    return [this, end] { return std::chrono::steady_clock::now() >= end || is_stopped(is_time_up_); };
  }

  Result<void> find_divergence(const FaultCase& shown, KeptFault& kept) const {
    run_.terminal.progress(0, 0, shown.fault.id + ": where the values part first");
    auto found =
        fault_divergence(shown, {*run_.executor, work_ / "outputs" / "divergence", time_up_after(most_comparing)});
    if (!found) return tl::unexpected(found.error());
    kept.first_divergence = std::move(found->first);
    kept.first_divergence_message = std::move(found->message);
    return {};
  }

  [[nodiscard]] ReproVersions versions() const { return {tool_version(), run_.optimizer_version, onnx_version(), ""}; }

  Result<Smallest> reduce(const FaultCase& shown) const {
    const fs::path folder = work_ / ("reduced-" + shown.fault.id);
    std::error_code error;
    fs::create_directory(folder, error);
    if (error) return fail(ErrorKind::io, "cannot make the folder " + folder.string() + ": " + error.message());
    ReducingTools tools{*run_.executor, run_.passes, folder};
    tools.is_time_up = time_up_after(most_reducing);
    tools.progress = [&](const CaseSize& left, std::size_t checks) {
      run_.terminal.progress(0, 0,
                             fmt::format("reducing {}: {} nodes left, {} checks", shown.fault.id, left.nodes, checks));
    };
    return smallest_case(shown, versions(), tools);
  }

  Result<KeptFault> write(ReproContents contents, const FaultCase& shown, KeptFault kept) const {
    if (kept.first_divergence) contents.first_divergence = kept.first_divergence->message;
    contents.facts.attribution = kept.attribution.value_or(shown.fault.attribution);
    const bool is_one_of_several = run_.arguments.models.size() > 1;
    const auto place = run_.folder.repro_place(model_.path, work_, shown.fault.id, is_one_of_several);
    if (auto written = write_bundle(contents, place.folder); !written) return tl::unexpected(written.error());
    kept.repro = place.name;
    return kept;
  }

  Run& run_;
  const Model& model_;
  fs::path work_;
  std::function<bool()> is_time_up_;
};

}  // namespace

KeepFault keeper_of(Run& run, const Model& model, const fs::path& work, const std::function<bool()>& is_time_up) {
  return [keeper = Keeper(run, model, work, is_time_up)](const FaultCase& shown) { return keeper.keep(shown); };
}

}  // namespace culprit
