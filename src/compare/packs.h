#pragma once
// Tensors of a pack by label: the name of a plain tensor, name and part of others (tensor/value.h).

#include <filesystem>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

class Pack {
 public:
  static Result<Pack> read(const std::filesystem::path& path);

  /// Null where there is none.
  [[nodiscard]] const Tensor* find(const std::string& label) const;
  [[nodiscard]] const std::vector<NamedTensor>& tensors() const { return tensors_; }
  /// Does it begin with these very bits, under these names?
  [[nodiscard]] bool begins_with(const Pack& other) const;

 private:
  std::vector<NamedTensor> tensors_;
  std::unordered_map<std::string, std::size_t> by_label_;
};

using Packs = std::vector<Pack>;
/// All or an error.
Result<Packs> read_packs(const std::vector<std::filesystem::path>& paths);

}  // namespace culprit
