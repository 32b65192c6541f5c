#include "report/diagnosis_stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/text.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t samples_shown = 10;
constexpr int sample_width = 10, error_width = 10;

std::string words_of_wrong(const StageRecord& stage) {
  std::vector<std::string> parts;
  if (stage.step == StageStep::added)
    parts.push_back(stage.faults.empty() ? "adds a fault that could not be named" : "adds " + join(stage.faults, ", "));
  if (stage.step == StageStep::inherited && stage.inherits.empty())
    parts.push_back("as " + printable(stage.before, 60) + ", without a fault of its own");
  if (!stage.inherits.empty()) parts.push_back("inherits " + join(stage.inherits, ", "));
  if (!stage.mends.empty()) parts.push_back("mends " + join(stage.mends, ", "));
  return "wrong: " + join(parts, "; ");
}

std::string words_of_stage(const StageRecord& stage) {
  switch (stage.step) {
    case StageStep::right:
      return "right";
    case StageStep::inherited:
    case StageStep::added:
      return words_of_wrong(stage);
    case StageStep::mended:
      return stage.mends.empty() ? "right again" : "right: mends " + join(stage.mends, ", ");
    case StageStep::unknown:
      return std::string(stage.status == DiagnosisStatus::faulty ? "wrong" : "cannot be judged") +
             (stage.message.empty() ? "" : ": " + printable(stage.message));
  }
  return "?";
}

Ink ink_of(const StageRecord& stage) {
  if (stage.status == DiagnosisStatus::faulty) return Ink::bad;
  return stage.step == StageStep::unknown ? Ink::doubtful : Ink::plain;
}

/// The first that was added to is what users look for.
std::string stage_lines(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  std::string text;
  bool is_first = true;
  for (std::size_t i = 0; i < diagnosis.stages.size(); ++i) {
    const StageRecord& stage = diagnosis.stages[i];
    const bool is_wrong = stage.status == DiagnosisStatus::faulty;
    std::string words = words_of_stage(stage);
    if (is_wrong && std::exchange(is_first, false)) words += " (the first wrong file)";
    const std::string first = fmt::format("  {} {}  {}  ", is_wrong ? "!" : " ", i + 1,
                                          cut_path(printable(stage.name), std::max(8, style.width / 2)));
    std::string lines = hanging(first, words, style.width);
    lines.pop_back();  // its last newline
    text += painted(lines, ink_of(stage), style.colour) + "\n";
  }
  return text;
}

/// The largest over the files; what is wrong comes first.
std::pair<bool, double> worst_of(const Diagnosis& diagnosis, std::size_t sample) {
  std::pair<bool, double> worst{false, 0};
  for (const StageRecord& stage : diagnosis.stages)
    if (sample < stage.samples.size())
      worst = std::max(worst, {stage.samples[sample].is_wrong, stage.samples[sample].max_abs});
  return worst;
}

/// Those that are worst, in their order.
std::vector<std::size_t> samples_to_show(const Diagnosis& diagnosis, std::size_t count, bool all) {
  std::vector<std::size_t> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = i;
  if (all || count <= samples_shown) return samples;
  std::ranges::stable_sort(samples, [&](std::size_t one, std::size_t other) {
    return worst_of(diagnosis, one) > worst_of(diagnosis, other);
  });
  samples.resize(samples_shown);
  std::ranges::sort(samples);
  return samples;
}

const char* mark_of(const SampleError& error) {
  if (error.is_wrong) return "!";
  return error.is_beyond_floor ? "~" : " ";
}

std::string cell_of(const StageRecord& stage, std::size_t sample) {
  if (sample >= stage.samples.size()) return pad_left("- ", error_width);
  const SampleError& error = stage.samples[sample];
  return pad_left(fmt::format("{:.1e}{}", error.max_abs, mark_of(error)), error_width);
}

/// Of the files from `begin` on, as many as there is room for.
std::string table_from(const Diagnosis& diagnosis, std::size_t begin, std::size_t end,
                       const std::vector<std::size_t>& samples) {
  std::string text = pad_left("sample", sample_width);
  for (std::size_t i = begin; i < end; ++i) text += pad_left(fmt::format("{} ", i + 1), error_width);
  for (const std::size_t sample : samples) {
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n" + pad_left(std::to_string(sample), sample_width);
    for (std::size_t i = begin; i < end; ++i) text += cell_of(diagnosis.stages[i], sample);
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

std::string errors_table(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  std::size_t count = 0;
  for (const StageRecord& stage : diagnosis.stages) count = std::max(count, stage.samples.size());
  if (count == 0) return "";
  const auto samples = samples_to_show(diagnosis, count, style.verbose);
  const int room = std::max(1, (style.width - sample_width) / error_width);
  std::string text = hanging("  ", "largest error by sample and file (!: wrong, ~: a small difference)", style.width);
  for (std::size_t begin = 0; begin < diagnosis.stages.size(); begin += static_cast<std::size_t>(room))
    text += table_from(diagnosis, begin, std::min(diagnosis.stages.size(), begin + static_cast<std::size_t>(room)),
                       samples);
  if (samples.size() < count)
    text += hanging("  ", fmt::format("and {} more samples", count - samples.size()), style.width);
  return text;
}

}  // namespace

std::string whose_layers(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  const auto first = std::ranges::find(diagnosis.stages, StageStep::added, &StageRecord::step);
  if (first == diagnosis.stages.end()) return "";
  return "\n" + hanging("  ", "layers of " + printable(first->before, 60) + " in " + printable(first->name, 60) + ":",
                        style.width);
}

std::string stages_part(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  if (diagnosis.stages.empty()) return "";
  return "\n" + stage_lines(diagnosis, style) + errors_table(diagnosis, style);
}

}  // namespace culprit
