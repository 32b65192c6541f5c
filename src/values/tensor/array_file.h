#pragma once
// Arrays of a .npy or .npz that stay in their file: rows are read when they are asked for. What is deflated, or lies
// column by column, is brought into a file of its own first, once. As of tensor/npy.h for everything else.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

/// What the header of an array says.
struct ArrayHead {
  std::string name;
  DType dtype = DType::undefined;
  Shape shape;
};

/// An array whose rows can be read. Copies share the file.
class StoredArray {
 public:
  [[nodiscard]] const ArrayHead& head() const;
  /// What lies along the first axis there, as a tensor of this shape, which has as many elements. Errors: bad_input
  /// where the file is no longer what it was; io.
  [[nodiscard]] Result<Tensor> row(std::int64_t number, const Shape& as) const;
  [[nodiscard]] Result<Tensor> all() const;
  /// Is it the same array of the same file?
  [[nodiscard]] bool is_same(const StoredArray& other) const;

 private:
  friend class ArrayFile;
  struct Parts;
  [[nodiscard]] Result<Tensor> read(std::uint64_t at, std::uint64_t size, const Shape& as) const;
  explicit StoredArray(std::shared_ptr<const Parts> parts) : parts_(std::move(parts)) {}
  std::shared_ptr<const Parts> parts_;
};

class ArrayFile {
 public:
  /// Reads headers and no elements. The array of a .npy is called `name`. Errors: it cannot be read, or is no such file
  /// (bad_input); what NumPy has and ONNX lacks (unsupported).
  static Result<ArrayFile> open(const std::filesystem::path& file, const std::string& name);
  ArrayFile(ArrayFile&&) noexcept;
  ArrayFile& operator=(ArrayFile&&) noexcept;
  ~ArrayFile();

  [[nodiscard]] const std::vector<ArrayHead>& heads() const { return heads_; }
  /// Makes the array at this place ready; where it cannot stay where it is, its file is in `work`, named by the place,
  /// and stays there: whoever opens the same file again with the same `work` finds it. With `checked`, the checksum of
  /// one that stays in its archive is compared, which reads it whole; once with the same `work`. Errors: bad_input
  /// where the elements are not what the header says; io.
  Result<StoredArray> array(std::size_t place, const std::filesystem::path& work, bool checked);

 private:
  struct Source;
  ArrayFile(std::unique_ptr<Source> source, std::vector<ArrayHead> heads);
  std::unique_ptr<Source> source_;
  std::vector<ArrayHead> heads_;
};

}  // namespace culprit
