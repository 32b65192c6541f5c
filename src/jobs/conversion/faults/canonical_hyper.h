#pragma once
// Hyper-parameters in one form, whatever a file says and leaves out. Pure.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "conversion/map/value_order.h"
#include "network/network.h"

namespace culprit {

using HyperMap = std::map<std::string, Hyper>;

struct HyperTask {
  const Network& network;
  int layer = -1;
  Shape input, output;    ///< of its first computed input and its first output, in its own layout; empty: not known
  ValueOrder order = {};  ///< the axes of its input are those of the source in this order; empty for the source itself
};

/// Equal meanings compare equal (same_hyper): pads in the place of auto_pad, and a Pad that nobody else uses added to
/// them; axes not negative, sorted where their order says nothing, in the source's order of axes; what operators take
/// where nothing is said; what kernels tell left out, and what changes no number (training_mode, layout of a file).
HyperMap canonical_hyper(const HyperTask& task);

/// A layer Pad with zeros that makes the input of a convolution.
struct PadInFront {
  int layer = -1;
  std::vector<std::int64_t> pads;    ///< as it has them, of all axes
  std::vector<std::int64_t> around;  ///< of those that the kernel moves along
  std::size_t first_axis = 2;        ///< of these
};
std::optional<PadInFront> pad_in_front(const HyperTask& task);

/// 1 is [1]; 0.1 as float32 is 0.1.
bool same_hyper(const Hyper& one, const Hyper& other);

/// As to_string of hyper-parameters, but that 0.1 as float32 is "0.1".
std::string hyper_words(const Hyper& hyper);

/// A canonical hyper-parameter of the source as the target's layer must have it: axes in the target's order.
Hyper hyper_in_target(const std::string& name, const Hyper& hyper, const HyperTask& target);

}  // namespace culprit
