#include "conversion/readings/value_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "conversion/readings/sorted_looks.h"

namespace culprit {
namespace {

constexpr double infinitely_far = std::numeric_limits<double>::infinity();

/// Kinds of numbers that may stand for each other.
enum class SketchKind { floats, integers, other };

SketchKind kind_of_numbers(DType type) {
  if (is_float(type)) return SketchKind::floats;
  return is_integer(type) || type == DType::boolean ? SketchKind::integers : SketchKind::other;
}

/// Numbers in the type in which they are looked at: floats are not widened.
template <class Number>
std::vector<Number> finite_numbers(const Tensor& tensor, SampleSketch& sketch) {
  std::vector<Number> numbers;
  numbers.reserve(static_cast<std::size_t>(tensor.count()));
  const auto take = [&](Number number) {
    if (std::isfinite(number))
      numbers.push_back(number);
    else
      sketch.is_finite = false;
  };
  if constexpr (std::is_same_v<Number, float>)
    for (const float number : tensor.as<float>()) take(number);
  else
    for (std::int64_t i = 0; i < tensor.count(); ++i) take(tensor.number(i));
  return numbers;
}

/// At most 3.
template <class Number>
int different_numbers(const std::vector<Number>& numbers) {
  std::vector<Number> seen;
  for (const Number number : numbers) {
    if (std::ranges::find(seen, number) == seen.end()) seen.push_back(number);
    if (seen.size() == 3) break;
  }
  return static_cast<int>(seen.size());
}

template <class Number>
void sketch_numbers(const Tensor& tensor, SampleSketch& sketch) {
  std::vector<Number> numbers = finite_numbers<Number>(tensor, sketch);
  if (numbers.empty()) return;
  for (const Number number : numbers) {
    sketch.size += std::fabs(static_cast<double>(number));
    sketch.largest = std::max(sketch.largest, std::fabs(static_cast<double>(number)));
  }
  sketch.size /= static_cast<double>(numbers.size());
  sketch.distinct = different_numbers(numbers);
  const auto looks = sorted_looks(std::span<Number>(numbers), SampleSketch::looks);
  std::ranges::copy(looks, sketch.some.begin());
}

bool says_one_number(const SampleSketch& sample) { return sample.count < 2 || sample.distinct < 2; }

}  // namespace

SampleSketch sketch_of(const Tensor& tensor) {
  SampleSketch sketch{.dtype = tensor.dtype(), .shape = tensor.shape(), .count = tensor.count()};
  if (kind_of_numbers(tensor.dtype()) == SketchKind::other) return sketch;
  if (tensor.dtype() == DType::f32)
    sketch_numbers<float>(tensor, sketch);
  else
    sketch_numbers<double>(tensor, sketch);
  return sketch;
}

ValueSketch sketch_of(std::span<const Tensor> by_sample) {
  ValueSketch sketch;
  sketch.by_sample.reserve(by_sample.size());
  for (const Tensor& tensor : by_sample) sketch.by_sample.push_back(sketch_of(tensor));
  return sketch;
}

Shape shape_in(const std::map<int, ValueSketch>& sketches, int value) {
  const auto found = sketches.find(value);
  return found == sketches.end() || found->second.by_sample.empty() ? Shape{} : found->second.by_sample.front().shape;
}

bool ValueSketch::says_nothing() const { return std::ranges::all_of(by_sample, says_one_number); }

double rough_distance(const SampleSketch& one, const SampleSketch& other) {
  if (one.count != other.count || one.is_finite != other.is_finite) return infinitely_far;
  double apart = 0;
  for (std::size_t i = 0; i < SampleSketch::looks; ++i) apart += std::fabs(one.some[i] - other.some[i]);
  apart /= static_cast<double>(SampleSketch::looks);
  if (apart == 0) return 0;
  return one.size == 0 ? infinitely_far : apart / one.size;
}

double rough_distance(const ValueSketch& one, const ValueSketch& other) {
  if (one.by_sample.size() != other.by_sample.size()) return infinitely_far;
  double worst = 0;
  for (std::size_t i = 0; i < one.by_sample.size(); ++i)
    worst = std::max(worst, rough_distance(one.by_sample[i], other.by_sample[i]));
  return worst;
}

bool may_be_same(const ValueSketch& one, const ValueSketch& other, double most) {
  if (one.by_sample.size() != other.by_sample.size()) return false;
  for (std::size_t i = 0; i < one.by_sample.size(); ++i) {
    const SketchKind kind = kind_of_numbers(one.by_sample[i].dtype);
    if (kind == SketchKind::other || kind != kind_of_numbers(other.by_sample[i].dtype)) return false;
  }
  return rough_distance(one, other) <= most;
}

double share_of_like(const std::map<int, ValueSketch>& first, const std::map<int, ValueSketch>& others) {
  double all = 0, there = 0;
  for (const auto& one : first) {
    const ValueSketch& sketch = one.second;
    if (sketch.says_nothing()) continue;
    ++all;
    if (std::ranges::any_of(others, [&](const auto& other) { return may_be_same(sketch, other.second, 1e-3); }))
      ++there;
  }
  return all == 0 ? 0 : there / all;
}

}  // namespace culprit
