#pragma once
// Samples of the target that are fed in another way. Private to this folder.

#include <filesystem>
#include <span>
#include <vector>

#include "conversion/feeding/feeding_ways.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

/// What the target takes, by its own names, where the source is fed this. Errors: bad_input.
Result<std::vector<NamedTensor>> bound_inputs(const BothSides& sides, const std::vector<ValueMatch>& binding,
                                              std::span<const Tensor> inputs);

/// Writes packs below a folder, which must exist.
class FedPacks {
 public:
  FedPacks(const BothSides& sides, const std::vector<ValueMatch>& binding, std::filesystem::path folder)
      : sides_(sides), binding_(binding), folder_(std::move(folder)) {}

  /// false: the way does not apply, and no pack is added. Errors: io, bad_input.
  Result<bool> add(const FeedingWay& way, std::span<const Tensor> inputs);
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  const BothSides& sides_;
  const std::vector<ValueMatch>& binding_;
  std::filesystem::path folder_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace culprit
