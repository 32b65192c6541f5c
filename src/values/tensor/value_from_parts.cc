// Values out of their parts.
#include <algorithm>
#include <numeric>

#include "tensor/part_helpers.h"

namespace culprit {
namespace {

using Kind = Value::Kind;
using Span = std::span<const NamedTensor>;

const Tensor* find(Span parts, std::string_view part) {
  const auto at = std::ranges::find(parts, part, &NamedTensor::part);
  return at == parts.end() ? nullptr : &at->value;
}

/// The numbers of a vector of int64; nothing where it is none.
std::span<const std::int64_t> numbers(const Tensor* tensor) {
  if (tensor == nullptr || tensor->dtype() != DType::i64) return {};
  return tensor->as<std::int64_t>();
}

class Assembler {
 public:
  explicit Assembler(Span parts) : parts_(parts), name_(parts.front().name) {}

  Result<Value> value() {
    const Tensor* present = find(parts_, ".present");
    if (present == nullptr) return content();
    if (present->dtype() != DType::boolean || present->count() != 1) return broken(name_, "has no clear presence");
    Value optional{.kind = Kind::optional};
    if (present->number(0) == 0) return optional;
    auto inside = content();
    if (!inside) return inside;
    optional.items.push_back(std::move(*inside));
    return optional;
  }

 private:
  Result<Value> content() {
    if (const auto length = find(parts_, ".length")) return sequence(*length);
    if (find(parts_, ".keys") != nullptr) return map();
    const Tensor* tensor = find(parts_, "");
    if (tensor == nullptr) return broken(name_, "has parts that do not belong together");
    return Value{.kind = Kind::tensor, .tensor = *tensor};
  }

  Result<Value> map() {
    const Tensor* keys = find(parts_, ".keys");
    const Tensor* values = find(parts_, ".values");
    if (values == nullptr || keys->count() != values->count()) return broken(name_, "has other keys than values");
    return Value{.kind = Kind::map, .keys = *keys, .values = *values};
  }

  Result<Value> sequence(const Tensor& length) {
    if (length.dtype() != DType::i64 || length.count() != 1) return broken(name_, "has no clear length");
    const std::int64_t count = length.as<std::int64_t>()[0];
    if (count < 0) return broken(name_, "has a negative length");
    if (count == 0) return Value{.kind = Kind::sequence};
    if (find(parts_, ".keys") != nullptr) return maps(count);
    if (find(parts_, ".ranks") != nullptr) return many(count);
    Value value{.kind = Kind::sequence};
    for (std::int64_t i = 0; i < count; ++i) {
      const Tensor* tensor = find(parts_, "[" + std::to_string(i) + "]");
      if (tensor == nullptr) return broken(name_, "lacks element " + std::to_string(i) + " of its sequence");
      value.items.push_back({.kind = Kind::tensor, .tensor = *tensor});
    }
    return value;
  }

  /// `count` elements from `from` on.
  static Result<Tensor> piece(const Tensor& all, std::size_t from, Shape shape, std::size_t count) {
    std::vector<std::size_t> which(count);
    std::iota(which.begin(), which.end(), from);
    return picked(all, which, std::move(shape));
  }

  Result<Value> many(std::int64_t count) {
    const auto ranks = numbers(find(parts_, ".ranks"));
    const auto shapes = numbers(find(parts_, ".shapes"));
    const Tensor* values = find(parts_, ".values");
    if (values == nullptr || std::ssize(ranks) != count) return broken(name_, "has other ranks than elements");
    Value value{.kind = Kind::sequence};
    std::size_t at = 0, from = 0;
    for (const std::int64_t rank : ranks) {
      if (rank < 0 || static_cast<std::size_t>(rank) > shapes.size() - at) return broken(name_, "lacks shapes");
      const Shape shape(shapes.begin() + static_cast<std::ptrdiff_t>(at),
                        shapes.begin() + static_cast<std::ptrdiff_t>(at) + rank);
      const auto size = element_count(shape);
      if (!size || static_cast<std::size_t>(*size) > elements_in(*values) - from) return broken(name_, "lacks values");
      auto tensor = piece(*values, from, shape, static_cast<std::size_t>(*size));
      if (!tensor) return tl::unexpected(tensor.error());
      value.items.push_back({.kind = Kind::tensor, .tensor = std::move(*tensor)});
      at += static_cast<std::size_t>(rank);
      from += static_cast<std::size_t>(*size);
    }
    return value;
  }

  Result<Value> maps(std::int64_t count) {
    const Tensor& keys = *find(parts_, ".keys");
    const Tensor* values = find(parts_, ".values");
    const Tensor* own = find(parts_, ".sizes");
    const auto sizes = numbers(own);
    const auto expected = own != nullptr ? Result<std::int64_t>(keys.count()) : element_count({count, keys.count()});
    if (!expected || values == nullptr || values->count() != *expected ||
        (own != nullptr && std::ssize(sizes) != count))
      return broken(name_, "has other keys than values");
    Value value{.kind = Kind::sequence};
    std::size_t from = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto size = own != nullptr ? sizes[static_cast<std::size_t>(i)] : keys.count();
      if (size < 0 || static_cast<std::size_t>(size) > elements_in(*values) - from)
        return broken(name_, "lacks values");
      const auto entries = static_cast<std::size_t>(size);
      auto its_keys = piece(keys, own != nullptr ? from : 0, {size}, entries);
      auto its_values = piece(*values, from, {size}, entries);
      if (!its_keys || !its_values) return tl::unexpected((its_keys ? its_values : its_keys).error());
      value.items.push_back({.kind = Kind::map, .keys = std::move(*its_keys), .values = std::move(*its_values)});
      from += entries;
    }
    return value;
  }

  Span parts_;
  std::string name_;
};

}  // namespace

Result<Value> assemble(std::span<const NamedTensor> parts) {
  if (parts.empty()) return fail(ErrorKind::internal, "a value without parts");
  return Assembler(parts).value();
}

}  // namespace culprit
