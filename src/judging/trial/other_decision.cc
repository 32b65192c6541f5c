#include "trial/other_decision.h"

#include "base/text.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

std::string name_of_sample(const DecisiveSamples& decisive, std::size_t sample) {
  const auto found = decisive.names.find(sample);
  return found == decisive.names.end() ? "sample " + std::to_string(sample) : found->second;
}

}  // namespace

Result<std::unique_ptr<Decision>> decide_on(const DecisionTask& task, const SampleText* text, const fs::path& outputs,
                                            const std::vector<std::size_t>& places) {
  const auto values = read_pack_in_order(outputs, places);
  if (!values) return tl::unexpected(values.error());
  return task.decide_of(*values, text);
}

std::optional<WorstSample> first_other_decision(const DecisiveSamples& decisive,
                                                const std::vector<std::size_t>& samples,
                                                std::span<const fs::path> reference, std::span<const fs::path> variant,
                                                const std::vector<std::size_t>& places) {
  for (const std::size_t sample : samples) {
    if (sample >= reference.size() || sample >= variant.size()) continue;
    const auto known = decisive.texts.find(sample);
    const SampleText* text = known == decisive.texts.end() ? nullptr : &known->second;
    const auto before = decide_on(*decisive.task, text, reference[sample]);
    const auto after = decide_on(*decisive.task, text, variant[sample], places);
    if (!before || !after) continue;
    const auto change = decisive.task->change(**before, **after);
    if (!change || !change->changed) continue;
    return WorstSample{{static_cast<std::int64_t>(sample), change->reference, change->variant, change->margin},
                       name_of_sample(decisive, sample)};
  }
  return std::nullopt;
}

std::string text_of(const WorstSample& other, const DecisiveSamples& decisive) {
  constexpr std::size_t most_words = 100;
  return "it gives another prediction for '" + printable(other.name, 200) +
         "': " + printable(other.decision.reference, most_words) + " became " +
         printable(other.decision.variant, most_words) +
         (decisive.within_rounding ? ", and so on more samples than rounding alone does it"
                                   : ", which no draw of rounding does");
}

}  // namespace culprit
