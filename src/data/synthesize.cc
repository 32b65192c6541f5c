#include "data/synthesize.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "base/random.h"
#include "data/structures.h"

namespace culprit {
namespace {

constexpr std::uint64_t byte_limit = UINT64_C(4) << 30;  // of one input; more is a mistake in a size, not a sample
constexpr std::array<const char*, 12> words = {"the", "a",    "cat", "dog",  "runs", "sees",
                                               "red", "blue", "old", "tree", "and",  "not"};

struct Range {
  std::int64_t low, high;
};

std::string help_for(const ValueInfo& value) { return "give it with --input " + value.name + "=FILE or VALUE"; }

Range range_for(const ValueInfo& value, const SynthesisPlan& plan) {
  if (const auto fixed = plan.values.find(value.name); fixed != plan.values.end())
    return {fixed->second, fixed->second};
  if (value.dims.size() >= 3 && value.dtype == DType::u8) return {0, 255};
  if (value.dims.size() >= 3 && value.dtype == DType::i8) return {-128, 127};
  return {plan.integer_low, plan.integer_high};
}

Result<Tensor> draw_strings(const Shape& shape, std::int64_t count, Random& random) {
  std::vector<std::string> drawn(static_cast<std::size_t>(count));
  for (auto& word : drawn) word = words[static_cast<std::size_t>(random.between(0, words.size() - 1))];
  return Tensor::from_strings(shape, std::move(drawn));
}

Result<Tensor> draw_bools(const Shape& shape, std::int64_t count, Random& random) {
  std::vector<std::byte> drawn(static_cast<std::size_t>(count));
  for (auto& bit : drawn) bit = static_cast<std::byte>(random.between(0, 1));
  return Tensor::from_bytes(DType::boolean, shape, std::move(drawn));
}

Result<Tensor> draw_integers(DType type, const Shape& shape, std::int64_t count, Range range, Random& random) {
  std::vector<std::int64_t> drawn(static_cast<std::size_t>(count));
  for (auto& number : drawn) number = random.between(range.low, range.high);
  return cast(Tensor::of<std::int64_t>(shape, drawn), type);
}

template <class T>
Result<Tensor> draw_floats(DType type, const Shape& shape, std::int64_t count, double scale, Random& random) {
  std::vector<T> drawn(static_cast<std::size_t>(count));
  for (auto& number : drawn) number = static_cast<T>(scale * random.normal());
  const Tensor made = Tensor::of<T>(shape, drawn);
  return type == dtype_of<T>() ? made : cast(made, type);
}

Result<Tensor> draw(const ValueInfo& value, const SynthesisPlan& plan, Random& random) {
  const auto shape = shape_for(value, plan);
  if (!shape) return tl::unexpected(shape.error());
  const auto count = element_count(*shape);
  const bool too_large = count && bytes_for(value.dtype, *count) > byte_limit;
  if (!count || too_large) {
    return fail(ErrorKind::unsupported,
                "input '" + value.name + "' would have the shape " + to_string(*shape) + ", which is too large",
                "give smaller sizes with --dim");
  }
  if (value.dtype == DType::string) return draw_strings(*shape, *count, random);
  if (value.dtype == DType::boolean) return draw_bools(*shape, *count, random);
  if (is_integer(value.dtype)) return draw_integers(value.dtype, *shape, *count, range_for(value, plan), random);
  if (value.dtype == DType::f64) return draw_floats<double>(value.dtype, *shape, *count, plan.float_scale, random);
  if (is_float(value.dtype)) return draw_floats<float>(value.dtype, *shape, *count, plan.float_scale, random);
  return fail(ErrorKind::unsupported, "input '" + value.text() + "' has a type that cannot be made up",
              help_for(value));
}

}  // namespace

bool is_open(const Dim& dim) { return !dim.value || *dim.value < 0; }

std::string dim_key(const ValueInfo& value, std::size_t axis) {
  const std::string& name = value.dims[axis].name;
  return name.empty() ? value.name + "." + std::to_string(axis) : name;
}

Result<Shape> shape_for(const ValueInfo& value, const SynthesisPlan& plan) {
  if (!value.has_shape) {
    return fail(ErrorKind::unsupported, "the rank of input '" + value.name + "' is not known", help_for(value));
  }
  Shape shape;
  for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
    const auto given = plan.dims.find(dim_key(value, axis));
    const std::int64_t open_size = given != plan.dims.end() ? given->second : plan.unnamed_dim;
    shape.push_back(is_open(value.dims[axis]) ? open_size : *value.dims[axis].value);
  }
  return shape;
}

Result<Sample> synthesize(const Interface& interface, const SynthesisPlan& plan, std::uint64_t seed,
                          std::int64_t index) {
  Sample sample;
  sample.name = "seed " + std::to_string(seed) + " #" + std::to_string(index);
  for (const ValueInfo& value : interface.inputs) {
    Random random(seed, value.name + "#" + std::to_string(index));
    if (value.kind != ValueInfo::Kind::tensor) {
      const auto draw_one = [&](const ValueInfo& of, Random& from) { return draw(of, plan, from); };
      auto parts = draw_structured(value, plan, index, random, draw_one);
      if (!parts) return tl::unexpected(parts.error());
      std::ranges::move(*parts, std::back_inserter(sample.inputs));
      continue;
    }
    auto tensor = draw(value, plan, random);
    if (!tensor) return tl::unexpected(tensor.error());
    sample.inputs.push_back({value.name, std::move(*tensor)});
  }
  return sample;
}

}  // namespace culprit
