#include "conversion/repair/mend_target.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/as_index.h"
#include "base/folder.h"
#include "base/text.h"
#include "conversion/runs/judged_outputs.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr double most_floors_worse = 2;

bool is_right(const Diagnosis& diagnosis) {
  return diagnosis.status == DiagnosisStatus::same && diagnosis.faults.empty();
}

bool is_to_be_made(const MendableFault& fault) { return fault.fault.confirmed && !fault.edits.empty(); }

class Mending {
 public:
  Mending(const Side& source, const CompareSamples& samples, const DiagnoseOptions& options, const CompareTools& tools,
          const OpenSide& open)
      : source_(source), samples_(samples), options_(options), tools_(tools), open_(open) {}

  Result<MendedFile> mend(const Side& target, int most_rounds) {
    auto pair = diagnose(target);
    if (!pair) return tl::unexpected(pair.error());
    found_.before = pair->diagnosis;
    found_.is_clean = is_right(found_.before);
    if (found_.is_clean) return std::move(found_);
    const Side* side = &target;
    while (std::ssize(found_.rounds) < most_rounds && std::ranges::any_of(pair->faults, is_to_be_made)) {
      auto next = make_round(*side, *pair);
      if (!next) return tl::unexpected(next.error());
      if (!*next) return std::move(found_);
      const bool is_new = finds_others(pair->diagnosis, (*next)->diagnosis);
      pair = std::move(**next);
      found_.after = pair->diagnosis;
      if (is_right(pair->diagnosis) || !is_new) break;
      side = sides_.back().get();
    }
    decide();
    return std::move(found_);
  }

 private:
  Result<DiagnosedPair> diagnose(const Side& target) {
    const fs::path folder = tools_.folder / fmt::format("round-{}", found_.rounds.size());
    if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
    const CompareProgress progress = [&](std::size_t done, std::size_t total, const std::string& what) {
      if (!tools_.progress) return;
      tools_.progress(done, total, found_.rounds.empty() ? what : "verifying the mended target: " + what);
    };
    return diagnose_and_keep(source_, target, samples_, options_, {tools_.executor, folder, progress});
  }

  /// nullopt: no file could be made, and the round says why.
  Result<std::optional<DiagnosedPair>> make_round(const Side& side, const DiagnosedPair& pair) {
    RepairRound& round = found_.rounds.emplace_back();
    for (const MendableFault& fault : pair.faults)
      if (is_to_be_made(fault)) round.faults.push_back(fault.fault);
    round.error_before = largest_error(pair.diagnosis.samples);
    const std::vector<Edit> edits = edits_to_make(pair.faults);
    const auto file = side.write_whole(edits);
    if (!file) return refused(round, file.error());
    auto opened = open_(*file);
    if (!opened) return refused(round, opened.error());
    sides_.push_back(std::move(*opened));
    auto next = diagnose(*sides_.back());
    if (!next) return tl::unexpected(next.error());
    round.is_made = true;
    round.error_after = largest_error(next->diagnosis.samples);
    auto seen = seen_outputs(*sides_.back(), next->target.reference);
    if (!seen) return tl::unexpected(seen.error());
    const auto declared = side.write_whole(edits, *seen);
    if (!declared) return refused(round, declared.error());
    file_ = *declared;
    return std::optional(std::move(*next));
  }

  /// The shapes of what the target gave, by its outputs.
  static Result<std::vector<SeenOutput>> seen_outputs(const Side& side, const std::vector<fs::path>& packs) {
    const Network& network = side.network();
    std::vector<SeenOutput> seen;
    for (std::size_t i = 0; i < network.outputs.size(); ++i) seen.push_back({static_cast<int>(i), {}});
    for (const fs::path& pack : packs) {
      const auto given = read_pack(pack);
      if (!given) return tl::unexpected(given.error());
      for (const NamedTensor& one : *given)
        for (SeenOutput& output : seen) {
          const int value = network.outputs[as_index(output.output)];
          if (network.values[as_index(value)].name == one.name) output.shapes.push_back(one.value.shape());
        }
    }
    return seen;
  }

  Result<std::optional<DiagnosedPair>> refused(RepairRound& round, const Error& error) {
    if (error.kind == ErrorKind::io || error.kind == ErrorKind::interrupted) return tl::unexpected(error);
    round.why_not = error.message;
    found_.why_not = "the mended target cannot be written: " + error.message;
    return std::nullopt;
  }

  /// With the same faults the next round would do the same again. The end may be worse in between: a wrong weight shows
  /// more where what came after it is right.
  static bool finds_others(const Diagnosis& before, const Diagnosis& after) {
    return before.samples.empty() || std::ranges::any_of(after.faults, [&](const ConversionFault& fault) {
             return std::ranges::none_of(before.faults, [&](const ConversionFault& old) {
               return old.kind == fault.kind && old.evidence.kind == fault.evidence.kind &&
                      old.repair.edit == fault.repair.edit;
             });
           });
  }

  void decide() {
    if (!found_.after) {
      const bool is_unnamed = found_.before.faults.empty() && found_.before.status == DiagnosisStatus::faulty;
      found_.why_not = is_unnamed                     ? "outputs are wrong, and no fault could be named"
                       : found_.before.faults.empty() ? found_.before.message
                                                      : "no repair of a fault was confirmed";
      return;
    }
    if (!is_right(*found_.after)) {
      found_.why_not = found_.after->faults.empty() ? "mended, outputs are still wrong, and no fault could be named"
                                                    : "mended, it is still wrong: " + found_.after->message;
      return;
    }
    found_.why_not = why_worse(found_.before, *found_.after);
    if (found_.why_not.empty()) found_.file = file_;
  }

  const Side& source_;
  const CompareSamples& samples_;
  const DiagnoseOptions& options_;
  const CompareTools& tools_;
  const OpenSide& open_;
  std::vector<std::unique_ptr<Side>> sides_;  // of the files that were made
  fs::path file_;
  MendedFile found_;
};

}  // namespace

std::vector<Edit> edits_to_make(const std::vector<MendableFault>& faults) {
  std::vector<Edit> edits;
  for (const bool is_of_all : {true, false})
    for (const MendableFault& one : faults) {
      const bool is_whole = one.fault.kind == FaultClass::precision && !one.region;
      if (is_to_be_made(one) && is_whole == is_of_all) edits.insert(edits.end(), one.edits.begin(), one.edits.end());
    }
  return edits;
}

std::string why_worse(const Diagnosis& before, const Diagnosis& after) {
  for (std::size_t i = 0; i < std::min(before.samples.size(), after.samples.size()); ++i)
    if (after.samples[i].is_wrong && !before.samples[i].is_wrong)
      return fmt::format("sample {} was right, and is off by {:.2g} with the repair", i, after.samples[i].max_abs);
  for (const BoundOutput& now : after.outputs) {
    const auto was = std::ranges::find(before.outputs, now.source, &BoundOutput::source);
    if (was == before.outputs.end() || was->measurement.elements == 0) continue;
    const Measurement& one = now.measurement;
    if (one.beyond_floor > 0 && one.max_abs > was->measurement.max_abs + most_floors_worse * one.floor)
      return fmt::format("'{}' was off by {:.2g}, and is off by {:.2g} with the repair", printable(now.source, 60),
                         was->measurement.max_abs, one.max_abs);
  }
  return "";
}

Result<MendedFile> mend_target(const Side& source, const Side& target, const CompareSamples& samples,
                               const DiagnoseOptions& options, const CompareTools& tools, const OpenSide& open,
                               int most_rounds) {
  return Mending(source, samples, options, tools, open).mend(target, most_rounds);
}

}  // namespace culprit
