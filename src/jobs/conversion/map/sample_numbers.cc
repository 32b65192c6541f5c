#include "conversion/map/sample_numbers.h"

#include <algorithm>

#include "base/random.h"
#include "conversion/map/element_places.h"
#include "conversion/number_profile.h"

namespace culprit {
namespace {

constexpr std::int64_t most_looks = 256, fewest_looks = 16;  // of all samples, of one

bool is_whole(DType type) { return is_integer(type) || type == DType::boolean; }

Result<Tensor> as_floats(const Tensor& tensor) {
  return tensor.dtype() == DType::f32 ? Result<Tensor>(tensor) : cast(tensor, DType::f32);
}

std::ptrdiff_t axes_of_many(const Shape& shape) {
  return std::ranges::count_if(shape, [](std::int64_t size) { return size != 1; });
}

}  // namespace

std::optional<SamplePairs> SamplePairs::of(std::span<const Tensor> source, std::span<const Tensor> target) {
  if (source.size() != target.size() || source.empty()) return std::nullopt;
  SamplePairs made;
  made.whole_source_ = source;
  made.whole_target_ = target;
  made.is_exact_ = is_whole(source[0].dtype());
  std::ptrdiff_t most = -1;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i].count() != target[i].count() || is_whole(source[i].dtype()) != made.is_exact_ ||
        is_whole(target[i].dtype()) != made.is_exact_)
      return std::nullopt;
    auto one = as_floats(source[i]), other = as_floats(target[i]);
    if (!one || !other) return std::nullopt;
    const auto axes = axes_of_many(source[i].shape()) + axes_of_many(target[i].shape());
    if (axes > most) made.richest_ = i;
    most = std::max(most, axes);
    made.source_.push_back(std::move(*one));
    made.target_.push_back(std::move(*other));
  }
  if (made.elements() == 0) return std::nullopt;
  return made;
}

std::int64_t SamplePairs::elements() const {
  std::int64_t count = 0;
  for (const Tensor& tensor : target_) count += tensor.count();
  return count;
}

std::vector<float> SamplePairs::target_numbers() const {
  std::vector<float> numbers;
  numbers.reserve(static_cast<std::size_t>(elements()));
  for (const Tensor& tensor : target_) {
    const auto some = tensor.as<float>();
    numbers.insert(numbers.end(), some.begin(), some.end());
  }
  return numbers;
}

std::optional<std::vector<float>> SamplePairs::source_in(const ValueOrder& order) const {
  std::vector<float> laid;
  laid.reserve(static_cast<std::size_t>(elements()));
  for (std::size_t i = 0; i < count(); ++i) {
    const auto places = ElementPlaces::of(order, source_shape(i), target_shape(i));
    if (!places) return std::nullopt;
    const auto numbers = source_[i].as<float>();
    places->for_each([&](std::int64_t place) { laid.push_back(numbers[static_cast<std::size_t>(place)]); });
  }
  return laid;
}

std::optional<double> SamplePairs::sampled_distance(const ValueOrder& order) const {
  Random random(1);
  const std::int64_t looks = std::max(fewest_looks, most_looks / static_cast<std::int64_t>(count()));
  std::vector<float> one, other;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto places = ElementPlaces::of(order, source_shape(i), target_shape(i));
    if (!places) return std::nullopt;
    for (std::int64_t look = 0; look < looks && places->count() > 0; ++look) {
      const auto at = static_cast<std::int64_t>(random.next() % static_cast<std::uint64_t>(places->count()));
      one.push_back(source_[i].as<float>()[static_cast<std::size_t>(places->in_source(at))]);
      other.push_back(target_[i].as<float>()[static_cast<std::size_t>(at)]);
    }
  }
  return culprit::distance(one, other);
}

std::optional<NumbersApart> SamplePairs::apart(const ValueOrder& order) const {
  ApartSum sum;
  for (std::size_t i = 0; i < count(); ++i) {
    const auto places = ElementPlaces::of(order, source_shape(i), target_shape(i));
    if (!places) return std::nullopt;
    const auto one = source_[i].as<float>();
    const float* other = target_[i].as<float>().data();
    places->for_each([&](std::int64_t place) { sum.add(one[static_cast<std::size_t>(place)], *other++); });
  }
  return sum.apart();
}

bool SamplePairs::agrees(const ValueOrder& order) const {
  for (std::size_t i = 0; i < count(); ++i) {
    const auto brought = brought_back(whole_target_[i], order, whole_source_[i].shape());
    if (!brought) return false;
    const auto one = cast(whole_source_[i], DType::i64), other = cast(*brought, DType::i64);
    if (!one || !other || !one->identical(*other)) return false;
  }
  return true;
}

bool SamplePairs::has_same_numbers(double within) const {
  return NumberProfile(source_[0].as<float>()).distance(NumberProfile(target_[0].as<float>())) <= within;
}

}  // namespace culprit
