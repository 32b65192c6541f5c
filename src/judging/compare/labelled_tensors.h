#pragma once
// Tensors of a pack by label: the name of a plain tensor, name and part of others (tensor/structured_value.h).

#include <filesystem>
#include <string>
#include <unordered_map>
#include <utility>
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
/// All or an error. Each is a mapping, of which the system allows some ten thousand: for a few samples only.
Result<Packs> read_packs(const std::vector<std::filesystem::path>& paths);

/// Packs that are looked at one by one. Those of files are mapped while they are looked at, and no longer.
class PackSequence {
 public:
  PackSequence() = default;
  explicit PackSequence(std::vector<std::filesystem::path> files) : files_(std::move(files)) {}
  PackSequence(const Packs& mapped) : mapped_(&mapped) {}  // NOLINT(google-explicit-constructor): must outlive this

  [[nodiscard]] std::size_t size() const { return mapped_ != nullptr ? mapped_->size() : files_.size(); }
  [[nodiscard]] Result<Pack> at(std::size_t sample) const {
    return mapped_ != nullptr ? Result<Pack>(mapped_->at(sample)) : Pack::read(files_.at(sample));
  }

 private:
  std::vector<std::filesystem::path> files_;
  const Packs* mapped_ = nullptr;
};

}  // namespace culprit
