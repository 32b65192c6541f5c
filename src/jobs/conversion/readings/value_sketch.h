#pragma once
// What is kept of a value when its elements are not: so memory and disk do not grow with samples or depth.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

/// A value in one sample. Numbers are doubles; of what has none (texts, complex numbers) type, shape and count only.
struct SampleSketch {
  static constexpr std::size_t looks = 33;
  DType dtype = DType::undefined;
  Shape shape;
  std::int64_t count = 0;
  double size = 0;                      ///< the mean |x| of the finite elements
  double largest = 0;                   ///< the largest |x| of them
  std::array<double, looks> some = {};  ///< of the sorted finite elements, evenly spread, the ends among them
  int distinct = 0;                     ///< how many different numbers: 0, 1, 2, or 3 for 3 and more
  bool is_finite = true;                ///< all of them
};

struct ValueSketch {
  std::vector<SampleSketch> by_sample;

  /// Nothing is found by such numbers: in each sample one number, or none. The same number in all samples, too.
  [[nodiscard]] bool says_nothing() const;
};

SampleSketch sketch_of(const Tensor& tensor);
ValueSketch sketch_of(std::span<const Tensor> by_sample);

/// The shape of a value in the first sample; empty where it was not read.
Shape shape_in(const std::map<int, ValueSketch>& sketches, int value);

/// How far the looks at the sorted numbers are apart: their mean difference over `one.size`; infinite where counts
/// differ, 0 where both are 0 everywhere. Never more than about the distance of the tensors in whatever order.
double rough_distance(const SampleSketch& one, const SampleSketch& other);
/// The worst over the samples; infinite where there are not as many.
double rough_distance(const ValueSketch& one, const ValueSketch& other);

/// May the two be the same numbers in some order, to within `most` (of rough_distance)? Floats of any width and
/// integers of any width stand for each other among themselves, never floats for integers; truth values for integers.
bool may_be_same(const ValueSketch& one, const ValueSketch& other, double most);

/// The share of the first values that may be the same as any of the others, among those that say something; else 0.
double share_of_like(const std::map<int, ValueSketch>& first, const std::map<int, ValueSketch>& others);

}  // namespace culprit
