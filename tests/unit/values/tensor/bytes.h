#pragma once
// Small helpers of the tests in this folder.

#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "tensor/tensor.h"

namespace culprit {

inline std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> made;
  for (const int value : values) made.push_back(static_cast<std::byte>(value));
  return made;
}

/// A tensor with the given little-endian bytes.
inline Tensor raw(DType type, Shape shape, std::initializer_list<int> values) {
  return Tensor::from_bytes(type, std::move(shape), bytes(values)).value();
}

/// A tensor of these elements: of one dimension, unless a shape is given.
inline Tensor floats(const std::vector<float>& values, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  return Tensor::of<float>(shape, values);
}

inline std::vector<double> numbers(const Tensor& tensor) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.count(); ++i) values.push_back(tensor.number(i));
  return values;
}

/// One tensor of every type that ONNX has, with something in it.
inline std::vector<NamedTensor> one_of_each() {
  std::vector<NamedTensor> all;
  for (int number = 1; number <= 23; ++number) {
    const DType type = *dtype_from_onnx(number);
    if (type == DType::string) continue;
    std::vector<std::byte> content(bytes_for(type, 3));
    for (std::size_t i = 0; i < content.size(); ++i) content[i] = static_cast<std::byte>((37 * i + 11) & 0x7f);
    if (type == DType::boolean) content = bytes({1, 0, 1});
    if (bits_of(type) == 4) content.back() &= std::byte{0x0f};
    all.push_back({std::string(name_of(type)), Tensor::from_bytes(type, {3, 1}, content).value()});
  }
  all.push_back(
      {"texts",
       Tensor::from_strings({2, 2}, {"", "ä", std::string("a\0b", 3), "long enough to live on the heap"}).value()});
  return all;
}

inline TemporaryFolder temporary_folder() {
  return TemporaryFolder::create(fs::temp_directory_path(), "culprit-tensor-test-").value();
}

}  // namespace culprit
