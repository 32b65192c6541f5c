#pragma once
// A network that does not run as a whole: what runs of it, from its inputs on.

#include "conversion/faults/unloadable.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

struct PrefixReading {
  std::optional<FirstBadLayer> bad;           ///< nullopt: all layers run
  std::map<int, std::vector<Tensor>> values;  ///< of all layers before it, on the map samples
};

/// By halves. What needs more memory than a run may take at once is not read in pieces here. Errors: interrupted, io.
Result<PrefixReading> read_prefix(ReadSide& side, const std::vector<SideFeed>& feeds);

/// Elements that were read already.
class KeptElements : public Elements {
 public:
  explicit KeptElements(std::map<int, std::vector<Tensor>> values) : values_(std::move(values)) {}
  Result<std::vector<Tensor>> of(int value) override {
    const auto found = values_.find(value);
    return found == values_.end() ? std::vector<Tensor>() : found->second;
  }

 private:
  std::map<int, std::vector<Tensor>> values_;
};

}  // namespace culprit
