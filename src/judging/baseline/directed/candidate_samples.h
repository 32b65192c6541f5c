#pragma once
// Samples that may hit a rewrite: wishes granted where an input can grant them, and other values where it cannot.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "baseline/directed/wishes_of_passes.h"
#include "model/model.h"
#include "tensor/tensor.h"

namespace culprit {

struct Candidate {
  std::vector<NamedTensor> inputs;
  std::vector<std::string> reasons;  ///< "negative values along the border into 'p' (fuse_pad_into_pool)"
  bool asks_for_extremes = false;    ///< NaN or infinities in an output may be its doing
};

/// At most `count`, each made from one of `samples` (inputs of plain ones, at least one), in turn. The first grants
/// every wish that can be carried to an input; where one cannot, further ones vary all floats that steer nothing, in
/// the ways that help most with it. The same seed makes the same. Fewer, or none, where nothing changes.
std::vector<Candidate> make_candidates(const Model& model, std::span<const Want> wants,
                                       std::span<const std::vector<NamedTensor>> samples, std::uint64_t seed,
                                       std::size_t count);

}  // namespace culprit
