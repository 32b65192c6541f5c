#pragma once
// What a report says of the samples, and of outputs that they leave without a meaning.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "record/enum_names.h"

namespace culprit {

/// What a made-up sample was directed at.
struct Direction {
  std::size_t sample = 0;
  std::string aim;  ///< "ties into 'logits' (eliminate_nop_monotone_argmax)"
  bool operator==(const Direction&) const = default;
};
/// "sample 2: ties into 'logits' (eliminate_nop_monotone_argmax)"
std::string text_of(const Direction& direction);

struct DataFacts {
  DataSource source = DataSource::none;
  std::int64_t samples = 0;
  std::uint64_t seed = 0;
  std::map<std::string, std::int64_t> dims;             ///< what symbolic dimensions were set to
  std::map<std::string, std::int64_t> other_dims = {};  ///< and in every second sample; empty where in all the same
  std::vector<std::string> choices = {};  ///< what was made up and why: "input_ids: 0..49999, rows of 'wte' (Gather)"
  std::int64_t directed = 0;              ///< of the samples, the last ones: directed at places where passes would fire
  std::vector<Direction> directions = {};
};

/// An output whose values say nothing about a variant.
struct WeakOutput {
  std::string output;
  std::string reason;  ///< "empty in all samples", "2.5 in all elements of all samples"
  /// No input has a part in it but by its shape, so nothing else could be fed: it was compared as it always is.
  bool is_constant = false;
  bool operator==(const WeakOutput&) const = default;
};

}  // namespace culprit
