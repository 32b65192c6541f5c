#pragma once
// The decoder of a tokenizer.json as steps.

#include <nlohmann/json.hpp>
#include <vector>

#include "base/error.h"
#include "tokens/decode_steps.h"

namespace culprit {

/// `decoder` is no null. An Error where a type of decoder is not known, a setting is missing or is of another type, or
/// the steps together could make text more than 4096 times as long.
Result<std::vector<DecodeStep>> read_decode_steps(const nlohmann::json& decoder);

}  // namespace culprit
