#pragma once
// Does a variant decide otherwise than the original, and on which sample?

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/decisions.h"
#include "task/task.h"
#include "trial/decisive_samples.h"

namespace culprit {

/// Judgement::error where another decision is all that is wrong.
inline constexpr std::string_view other_decision_error = "another decision";

/// The first of these samples, by number in the reference, on which that is so; nothing where there is none, or where
/// outputs cannot be read. `places`: where each output of the reference stands in the variant's; empty: in the same.
std::optional<WorstSample> first_other_decision(const DecisiveSamples& decisive,
                                                const std::vector<std::size_t>& samples,
                                                std::span<const std::filesystem::path> reference,
                                                std::span<const std::filesystem::path> variant,
                                                const std::vector<std::size_t>& places);

/// "it gives another prediction for 'cats/7.png': label 7 became label 3, which no draw of rounding does"
std::string text_of(const WorstSample& other, const DecisiveSamples& decisive);

/// What is decided by a pack of outputs of a sample that was made of `text` (nullptr: of none that is known).
/// ErrorKind::bad_input, unsupported: they cannot be read so.
Result<std::unique_ptr<Decision>> decide_on(const DecisionTask& task, const SampleText* text,
                                            const std::filesystem::path& outputs,
                                            const std::vector<std::size_t>& places = {});

}  // namespace culprit
