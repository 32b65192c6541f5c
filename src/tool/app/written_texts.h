#pragma once
// Two models that write text token by token: where the second one says another token than the first, and what both are
// fed with at that step, so that they can be compared there as at any other sample.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "record/warning.h"
#include "tokens/token_decoder.h"

namespace culprit {

struct BothWrite {
  RunJob first, second;                         ///< without samples and folder
  std::vector<std::filesystem::path> samples;   ///< packs by the names of the first one's inputs
  std::vector<std::filesystem::path> written;   ///< what the first one wrote of each
  std::shared_ptr<const TokenDecoder> decoder;  ///< null: tokens are told by their numbers
  std::filesystem::path folder;                 ///< exists
  const SampleSource* all = nullptr;       ///< whose texts are looked through if none of the samples parts; or null
  std::vector<std::int64_t> numbers = {};  ///< of them
};

/// So many further texts are looked through at most.
inline constexpr std::size_t most_looked_through = 512;

/// Do these samples write text?
bool do_write(const std::vector<std::filesystem::path>& samples);

struct ComparedSteps {
  std::vector<std::filesystem::path> samples;  ///< plain: what the first model is fed with at the steps to look at
  Warning told;                                ///< which text parts at which token, or that none does
};

/// The first step of a text, and the one at which the second model says another token, of the sample where that is so
/// earliest. If none parts, further texts are looked through; if none of these does, it is the last step of the first
/// sample. A text on which one of both fails is passed over with its neighbours, except among the samples. Both models
/// are meant to be fed with the same: the cache of the first. Errors: interrupted, io; bad_input where one of them does
/// not run.
Result<ComparedSteps> steps_to_compare(Dispatcher& dispatcher, const BothWrite& both);

}  // namespace culprit
