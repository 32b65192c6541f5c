#pragma once
// Many packs behind each other in one file, for samples by the thousand: to make and remove a file for each takes
// longer than to run a small network on it. Each is written in one call, so whoever wrote them may die at any time, and
// those before are whole. Layout: for each pack 64 bytes ("CULBNDL1", its size, zeros), the pack, zeros up to a
// multiple of 64; all sizes little-endian and checked against the file.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/file_parts.h"
#include "tensor/tensor.h"

namespace culprit {

class MappedFile;

/// Tells where a pack lies: in a file of its own, or in a bundle. Copies share the name, for of a bundle there are
/// many.
class PackPlace {
 public:
  using Name = std::shared_ptr<const std::filesystem::path>;
  explicit PackPlace(std::filesystem::path file)
      : PackPlace(std::make_shared<const std::filesystem::path>(std::move(file))) {}
  explicit PackPlace(Name file, std::optional<std::uint64_t> at = {}) : file_(std::move(file)), at_(at) {}
  [[nodiscard]] const std::filesystem::path& file() const { return *file_; }
  [[nodiscard]] std::optional<std::uint64_t> at() const { return at_; }  ///< of its first byte in the bundle

 private:
  Name file_;  // never null
  std::optional<std::uint64_t> at_;
};

class BundleWriter {
 public:
  /// What was there is gone.
  static Result<BundleWriter> create(const std::filesystem::path& path);
  /// Errors: io; internal for a tensor without a type.
  Result<void> add(std::span<const NamedTensor> tensors);
  /// In the place of a pack that there is none of.
  Result<void> add_none();
  [[nodiscard]] std::uint64_t size() const { return file_.size(); }  ///< bytes so far

 private:
  explicit BundleWriter(GrowingFile file) : file_(std::move(file)) {}
  GrowingFile file_;
};

/// All that are whole, in the order in which they were written; nullopt in the place of a pack that there is none of.
/// An error where the file cannot be read; one that is not there, or ends in the midst of a pack, is none.
Result<std::vector<std::optional<PackPlace>>> packs_in_bundle(const std::filesystem::path& path);

/// Reads packs from wherever they lie. The tensors view the mapping and keep it alive. It remembers the last file.
class PackReader {
 public:
  /// A truncated or lying file is ErrorKind::bad_input.
  Result<std::vector<NamedTensor>> read(const PackPlace& place);
  /// As read_pack_in_order.
  Result<std::vector<NamedTensor>> read_in_order(const PackPlace& place, const std::vector<std::size_t>& places);

 private:
  std::filesystem::path path_;
  std::shared_ptr<const MappedFile> file_;
};

}  // namespace culprit
