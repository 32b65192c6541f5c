#pragma once
// Ways in which a target may want to be fed otherwise than its source: each is a change of what the source is fed.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conversion/map/match_values.h"
#include "network/network.h"
#include "record/diagnosis.h"
#include "tensor/tensor.h"

namespace culprit {

struct FeedingWay {
  std::string name;       ///< "channels reversed, 0 to 1 in place of 0 to 255": what the target wants
  std::size_t input = 0;  ///< of the source: the first that changes
  /// Of a sample: the source's inputs in their order. Shapes stay; numbers may become float32. nullopt: it does not
  /// apply to this sample.
  std::function<std::optional<std::vector<Tensor>>(std::span<const Tensor> inputs)> fed;
  std::optional<PixelFeeding> pixels = {};  ///< of one that is about the only input's pixels alone
};

/// All that are tried, for inputs such as those of `sample`: two inputs of one type and shape exchanged; of pictures
/// ([N,C,H,W] or [N,H,W,C], by where 3, 1 or 4 stands) the channels reversed, height and width exchanged where they are
/// equal, and, where `binding` turns axes, the numbers in their order under the target's shape (a reshape in place of a
/// transposition); of floats the scale: 0 to 255, 0 to 1, -1 to 1, mean and std of ImageNet, each for each other, also
/// with channels reversed. Pure.
std::vector<FeedingWay> feeding_ways(const Network& source, const std::vector<ValueMatch>& binding,
                                     std::span<const Tensor> sample);

}  // namespace culprit
