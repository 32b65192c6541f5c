#include "app/diagnose_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

bool is_at(const ConversionFault& fault, const LayerRef& layer) {
  if (layer.number < 0) return false;
  return fault.source == layer || std::ranges::find(fault.group, layer) != fault.group.end();
}

/// Of what parts a file from the wrong one before it, is this fault its own? Else it mends one of that file. `whole`:
/// what is wrong with it in truth.
bool is_own(const ConversionFault& fault, const Diagnosis& whole) {
  if (whole.faults.empty() || fault.target.node.number < 0) return true;
  return std::ranges::any_of(whole.faults,
                             [&](const ConversionFault& other) { return other.target.node == fault.target.node; });
}

bool is_off(const StageRecord& stage) { return std::ranges::any_of(stage.samples, &SampleError::is_beyond_floor); }

bool is_output_wrong(const StageRecord& stage) { return std::ranges::any_of(stage.samples, &SampleError::is_wrong); }

class Chain {
 public:
  Chain(const std::vector<std::string>& names, const DiagnoseFiles& diagnose)
      : names_(names), diagnose_(diagnose), stages_(names.size()), known_(names.size()) {
    stages_[0].status = DiagnosisStatus::same;
    stages_[0].name = names[0];
  }

  Result<Diagnosis> diagnose() {
    for (std::size_t file = 1; file < names_.size(); ++file)
      if (auto ok = judge(file); !ok) return tl::unexpected(ok.error());
    if (stages_.back().status == DiagnosisStatus::same)
      if (auto ok = look_for_hidden(); !ok) return tl::unexpected(ok.error());
    return told();
  }

 private:
  Result<Diagnosis> ask(std::size_t before, std::size_t file, DiagnosisDepth depth) {
    auto found = diagnose_(before, file, depth);
    if (found) runs_ += found->runs;
    return found;
  }

  [[nodiscard]] bool is_wrong(std::size_t file) const { return stages_[file].status == DiagnosisStatus::faulty; }

  /// The last file before this one whose outputs could be held against the source's.
  [[nodiscard]] std::size_t last_before(std::size_t file) const {
    std::size_t before = file - 1;
    while (before > 0 && stages_[before].samples.empty()) --before;
    return before;
  }

  /// Holds a file against the source.
  Result<void> judge(std::size_t file) {
    const std::size_t before = last_before(file);
    auto found = ask(0, file, before == 0 ? DiagnosisDepth::faults_if_wrong : DiagnosisDepth::outputs);
    if (!found) return tl::unexpected(found.error());
    StageRecord& stage = stages_[file];
    stage.name = names_[file];
    stage.status = found->status;
    stage.before = names_[before];
    stage.message = found->status == DiagnosisStatus::faulty ? "" : found->message;
    stage.samples = found->samples;
    against_source_ = std::move(*found);  // of the last one it is needed in the end
    if (is_wrong(file) && before > 0) return hold_against(before, file);
    if (is_wrong(file)) add_faults(file, against_source_);
    if (stage.status != DiagnosisStatus::same) return {};
    if (is_off(stage) && !is_output_wrong(stages_[before]))
      if (auto ok = look_closely(before, file); !ok) return ok;
    if (is_wrong(file)) return {};
    stage.step = is_wrong(file - 1) ? StageStep::mended : StageStep::right;
    stage.mends = known_[file - 1];
    return {};
  }

  /// A file whose outputs are off by a little more than rounding explains: is there a fault behind it?
  Result<void> look_closely(std::size_t before, std::size_t file) {
    auto parted = ask(before, file, DiagnosisDepth::all);
    if (!parted) return tl::unexpected(parted.error());
    if (is_wrong(before)) inherit(before, file);
    if (!parted->faults.empty()) add_faults(file, *parted);
    return {};
  }

  /// A wrong file: what of it came with the file before?
  Result<void> hold_against(std::size_t before, std::size_t file) {
    auto parted = ask(before, file, DiagnosisDepth::faults_if_wrong);
    if (!parted) return tl::unexpected(parted.error());
    const bool is_faulty = parted->status == DiagnosisStatus::faulty;
    const bool is_same = parted->status == DiagnosisStatus::same || parted->status == DiagnosisStatus::weak_data;
    const DiagnosisStatus status = stages_[before].status;
    if (is_faulty && status != DiagnosisStatus::faulty) {
      add_faults(file, *parted);
    } else if (is_same && status != DiagnosisStatus::same) {
      inherit(before, file);
    } else if (is_faulty || status == DiagnosisStatus::same) {
      auto whole = ask(0, file, DiagnosisDepth::faults_if_wrong);
      if (!whole) return tl::unexpected(whole.error());
      if (is_faulty)
        part_from_wrong(before, file, *parted, *whole);
      else  // small errors that only both steps together make a large one, or a file that fits the source alone
        add_faults(file, *whole);
    } else {
      stages_[file].message = parted->message;
    }
    return {};
  }

  void inherit(std::size_t before, std::size_t file) {
    stages_[file].status = DiagnosisStatus::faulty;
    stages_[file].step = StageStep::inherited;
    known_[file] = known_[before];
  }

  /// A wrong file that is not as the wrong one before it: it adds faults, mends some, or both.
  void part_from_wrong(std::size_t before, std::size_t file, Diagnosis& parted, const Diagnosis& whole) {
    inherit(before, file);
    std::vector<ConversionFault> own, mending;
    for (ConversionFault& fault : parted.faults) (is_own(fault, whole) ? own : mending).push_back(std::move(fault));
    take_mended(before, file, mending, whole);
    parted.faults = std::move(own);
    if (!parted.faults.empty() || mending.empty()) add_faults(file, parted);
  }

  /// Which faults of the files before does this one no longer have? `mending`: where it parts from a wrong file to be
  /// right.
  void take_mended(std::size_t before, std::size_t file, const std::vector<ConversionFault>& mending,
                   const Diagnosis& whole) {
    if (mending.empty()) return;
    std::erase_if(known_[file], [&](const std::string& id) {
      const ConversionFault& known = *std::ranges::find(faults_, id, &ConversionFault::id);
      const auto is_there = [&](const ConversionFault& fault) { return is_at(fault, known.source); };
      const auto mends = [&](const ConversionFault& fault) { return is_at(fault, known.target.node); };
      const bool is_of_source = stage_named(known.stage).before == names_[0];
      const bool is_gone = is_of_source ? std::ranges::none_of(whole.faults, is_there)
                                        : known.stage == names_[before] && std::ranges::any_of(mending, mends);
      if (is_gone) stages_[file].mends.push_back(id);
      return is_gone;
    });
  }

  [[nodiscard]] const StageRecord& stage_named(const std::string& name) const {
    return *std::ranges::find(stages_, name, &StageRecord::name);
  }

  /// The faults of this diagnosis are this file's own.
  void add_faults(std::size_t file, Diagnosis& parted) {
    StageRecord& stage = stages_[file];
    stage.status = DiagnosisStatus::faulty;
    stage.step = StageStep::added;
    stage.message = parted.message;
    for (ConversionFault& fault : parted.faults) {
      const std::string old = std::exchange(fault.id, fmt::format("F{}", faults_.size() + 1));
      for (LayerRow& row : parted.layers)
        if (row.fault == old) row.fault = fault.id;
      fault.stage = stage.name;
      stage.faults.push_back(fault.id);
      known_[file].push_back(fault.id);
      faults_.push_back(fault);
    }
    const bool is_told = &parted == &against_source_ && file + 1 == names_.size();
    for (const Warning& warning : parted.warnings)
      if (!is_told) warnings_.push_back({warning.code, printable(stage.name) + ": " + warning.message});
    if (!first_) first_ = std::pair(file, parted);
  }

  /// The target is right on all samples: is there a fault that none of them shows?
  Result<void> look_for_hidden() {
    auto whole = ask(0, names_.size() - 1, DiagnosisDepth::all);
    if (!whole) return tl::unexpected(whole.error());
    const bool is_all_right = !first_;
    against_source_ = std::move(*whole);
    if (against_source_.status != DiagnosisStatus::faulty) return {};
    for (std::size_t file = 1; is_all_right && file < names_.size(); ++file) {
      if (auto ok = look_closely(last_before(file), file); !ok) return ok;
    }
    if (is_all_right && first_) return {};
    stages_.back().status = DiagnosisStatus::faulty;  // nobody knows which step it was
    stages_.back().step = StageStep::unknown;
    for (ConversionFault fault : against_source_.faults) {
      fault.id = fmt::format("F{}", faults_.size() + 1);
      faults_.push_back(std::move(fault));
    }
    return {};
  }

  Diagnosis told() {
    Diagnosis& found = against_source_;
    if (first_) tell_first();
    found.faults = std::move(faults_);
    found.warnings.insert(found.warnings.end(), warnings_.begin(), warnings_.end());
    for (std::size_t file = 1; file < stages_.size(); ++file) {
      StageRecord& stage = found.stages.emplace_back(std::move(stages_[file]));
      for (const std::string& id : known_[file])
        if (std::ranges::find(stage.faults, id) == stage.faults.end()) stage.inherits.push_back(id);
    }
    found.runs = runs_;
    return std::move(found);
  }

  void tell_first() {
    Diagnosis& found = against_source_;
    auto& [file, first] = *first_;
    found.map = std::move(first.map);
    found.parameters = std::move(first.parameters);
    found.layers = std::move(first.layers);
    const std::string name = printable(names_[file]);
    if (found.status == DiagnosisStatus::same && !is_wrong(names_.size() - 1)) {
      const auto right = std::ranges::find(stages_.begin() + static_cast<std::ptrdiff_t>(file), stages_.end(),
                                           StageStep::mended, &StageRecord::step);
      found.message = fmt::format("{} is wrong, and {} is right again", name,
                                  printable(right == stages_.end() ? names_.back() : right->name));
      return;
    }
    found.message = name + ": " + first.message;
    found.status = DiagnosisStatus::faulty;
  }

  const std::vector<std::string>& names_;
  const DiagnoseFiles& diagnose_;
  std::vector<StageRecord> stages_;              // by file; that of the source is right
  std::vector<std::vector<std::string>> known_;  // by file: the faults that it has, its own and others'
  std::vector<ConversionFault> faults_;          // of all files
  std::vector<Warning> warnings_;
  Diagnosis against_source_;                                // of the last file
  std::optional<std::pair<std::size_t, Diagnosis>> first_;  // the first wrong file, and what tells of its faults
  std::int64_t runs_ = 0;
};

}  // namespace

Result<Diagnosis> diagnose_chain(const std::vector<std::string>& names, const DiagnoseFiles& diagnose) {
  return Chain(names, diagnose).diagnose();
}

}  // namespace culprit
