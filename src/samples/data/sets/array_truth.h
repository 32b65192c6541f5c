#pragma once
// What is right of samples that are rows of arrays, out of an array beside them that is named y, label, labels, target
// or targets and feeds no input.
//
//   whole numbers [n] or [n,1]    classes; -1 is none
//   0 and 1 of [n,C]              of each class whether it is right: several may be
//   other whole numbers [n,...]   a mask: a class for each pixel
//   floats [n,...]                the numbers that the output ought to be; whole ones of [n] may be classes as well

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/sets/array_rows.h"
#include "tensor/array_file.h"

namespace culprit {

/// An array of one of these names that is no input.
bool names_truth(const ArrayHead& array, const Interface& interface);

class ArrayTruth {
 public:
  /// Out of the first array that is named so; nothing where none is. `where` is what messages call the file. Errors:
  /// it has another number of rows, or holds text (bad_input); it cannot be read.
  static Result<std::optional<ArrayTruth>> open(ArrayFile& file, const Interface& interface, std::int64_t rows,
                                                const ArrayRowsOptions& options, const std::string& where);
  [[nodiscard]] const std::string& name() const { return array_.head().name; }
  [[nodiscard]] const StoredArray& array() const { return array_; }
  [[nodiscard]] Truth of(std::int64_t row) const;
  [[nodiscard]] bool has_any() const;
  /// "labels from the array 'y': 10 classes"
  [[nodiscard]] std::vector<std::string> description() const;

 private:
  explicit ArrayTruth(StoredArray array) : array_(std::move(array)) {}
  [[nodiscard]] std::int64_t class_of(std::int64_t row) const { return (*classes_)[static_cast<std::size_t>(row)]; }

  StoredArray array_;
  std::optional<std::vector<std::int64_t>> classes_;  // of each row, or -1
  bool is_set_ = false;                               // of classes: 0 and 1
  bool has_values_ = false;                           // a row is what the output ought to be
};

}  // namespace culprit
