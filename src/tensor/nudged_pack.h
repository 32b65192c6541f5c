#pragma once
// A sample whose inputs were moved by rounding (tensor/nudge.h).

#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

/// How the elements of a sample move.
struct SampleNudge {
  std::uint64_t seed = 0;
  unsigned ulps = 1;
  std::string_view mark = {};  ///< tells samples of one seed apart; each tensor's name is added
};

/// Single elements stay: they steer more often than they carry.
bool is_moved_in_samples(const Tensor& tensor);

/// Writes the pack at `from` to `to`, with these inputs moved.
Result<void> write_nudged(const std::filesystem::path& from, const std::filesystem::path& to,
                          const std::set<std::string>& inputs, const SampleNudge& nudge);

}  // namespace culprit
