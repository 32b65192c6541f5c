#include "tensor/structured_value.h"

#include <algorithm>
#include <numeric>

#include "tensor/part_helpers.h"

namespace culprit {
namespace {

using Kind = Value::Kind;
using Parts = std::vector<NamedTensor>;

Tensor truth(bool value) {
  return Tensor::from_bytes(DType::boolean, {}, {static_cast<std::byte>(value ? 1 : 0)}).value();
}
Tensor whole_number(std::size_t value) { return Tensor::of<std::int64_t>({}, {static_cast<std::int64_t>(value)}); }
Tensor whole_numbers(const std::vector<std::int64_t>& values) {
  return Tensor::of<std::int64_t>({static_cast<std::int64_t>(values.size())}, values);
}

/// The elements of tensors of one type, one tensor behind the other.
Result<Tensor> joined(const std::vector<const Tensor*>& tensors, Shape shape) {
  const DType type = tensors.front()->dtype();
  std::vector<std::string> strings;
  std::vector<std::byte> bytes;
  for (const Tensor* tensor : tensors) {
    strings.insert(strings.end(), tensor->strings().begin(), tensor->strings().end());
    bytes.insert(bytes.end(), tensor->bytes().begin(), tensor->bytes().end());
  }
  if (type == DType::string) return Tensor::from_strings(std::move(shape), std::move(strings));
  return Tensor::from_bytes(type, std::move(shape), std::move(bytes));
}

bool key_less(const Tensor& keys, std::size_t a, std::size_t b) {
  if (keys.dtype() == DType::string) return keys.strings()[a] < keys.strings()[b];
  return keys.as<std::int64_t>()[a] < keys.as<std::int64_t>()[b];
}

/// The map with its entries in the order of the keys.
Result<Value> sorted(const std::string& name, const Value& map) {
  const bool known_keys = map.keys.dtype() == DType::i64 || map.keys.dtype() == DType::string;
  const bool known_values = map.values.dtype() == DType::string || bits_of(map.values.dtype()) >= 8;
  if (!known_keys || !known_values) {
    return fail(ErrorKind::unsupported, called(name) + " is a map from " + std::string(name_of(map.keys.dtype())) +
                                            " to " + std::string(name_of(map.values.dtype())));
  }
  if (map.keys.count() != map.values.count()) return broken(name, "is a map with another number of keys than values");
  std::vector<std::size_t> order(elements_in(map.keys));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return key_less(map.keys, a, b); });
  const auto twice = std::ranges::adjacent_find(
      order, [&](std::size_t a, std::size_t b) { return !key_less(map.keys, a, b) && !key_less(map.keys, b, a); });
  if (twice != order.end()) return broken(name, "is a map that has a key twice");
  const Shape shape = {map.keys.count()};
  auto keys = picked(map.keys, order, shape);
  auto values = picked(map.values, order, shape);
  if (!keys || !values) return tl::unexpected((keys ? values : keys).error());
  Value result{.kind = Kind::map};
  result.keys = std::move(*keys);
  result.values = std::move(*values);
  return result;
}

/// What becomes of one value; its parts are added to `parts`.
class Flattener {
 public:
  Flattener(const std::string& name, Parts& parts) : name_(name), parts_(parts) {}

  Result<void> add(const Value& value) {
    switch (value.kind) {
      case Kind::tensor:
        put("", value.tensor);
        return {};
      case Kind::map:
        return add_map(value);
      case Kind::sequence:
        return add_sequence(value);
      case Kind::optional:
        break;
    }
    put(".present", truth(!value.items.empty()));
    if (value.items.empty()) return {};
    if (value.items.front().kind == Kind::optional) return nested("optional", Kind::optional);
    return add(value.items.front());
  }

 private:
  void put(const std::string& part, Tensor tensor) { parts_.push_back({name_, std::move(tensor), part}); }

  [[nodiscard]] tl::unexpected<Error> nested(const std::string& outer, Kind inner) const {
    return fail(ErrorKind::unsupported,
                called(name_) + " is " + outer + " of " + std::string(name_of(inner)) + "s, which cannot be compared");
  }

  Result<void> put_joined(const std::string& part, const std::vector<const Tensor*>& tensors, const Shape& shape) {
    auto all = joined(tensors, shape);
    if (!all) return tl::unexpected(all.error());
    put(part, std::move(*all));
    return {};
  }

  Result<void> add_map(const Value& value) {
    auto map = sorted(name_, value);
    if (!map) return tl::unexpected(map.error());
    put(".keys", map->keys);
    put(".values", map->values);
    return {};
  }

  Result<void> add_sequence(const Value& value) {
    put(".length", whole_number(value.items.size()));
    if (value.items.empty()) return {};
    const Kind kind = value.items.front().kind;
    if (kind != Kind::tensor && kind != Kind::map) return nested("a sequence", kind);
    for (const Value& item : value.items) {
      const bool same = item.kind == kind && item.tensor.dtype() == value.items.front().tensor.dtype();
      if (!same) return broken(name_, "is a sequence of different things");
    }
    if (kind == Kind::map) return add_maps(value.items);
    if (value.items.size() > most_parts) return add_many(value.items);
    for (std::size_t i = 0; i < value.items.size(); ++i) put("[" + std::to_string(i) + "]", value.items[i].tensor);
    return {};
  }

  Result<void> add_many(const std::vector<Value>& items) {
    std::vector<std::int64_t> ranks, shapes;
    std::vector<const Tensor*> tensors;
    std::int64_t total = 0;
    for (const Value& item : items) {
      const Shape& shape = item.tensor.shape();
      ranks.push_back(static_cast<std::int64_t>(shape.size()));
      shapes.insert(shapes.end(), shape.begin(), shape.end());
      tensors.push_back(&item.tensor);
      total += item.tensor.count();
    }
    put(".ranks", whole_numbers(ranks));
    put(".shapes", whole_numbers(shapes));
    return put_joined(".values", tensors, {total});
  }

  Result<void> add_maps(const std::vector<Value>& items) {
    std::vector<Value> maps;
    std::vector<std::int64_t> sizes;
    std::vector<const Tensor*> keys, values;
    for (const Value& item : items) {
      auto map = sorted(name_, item);
      if (!map) return tl::unexpected(map.error());
      maps.push_back(std::move(*map));
    }
    for (const Value& map : maps) {
      if (map.keys.dtype() != maps[0].keys.dtype() || map.values.dtype() != maps[0].values.dtype())
        return broken(name_, "is a sequence of different maps");
      sizes.push_back(map.keys.count());
      keys.push_back(&map.keys);
      values.push_back(&map.values);
    }
    const auto count = static_cast<std::int64_t>(maps.size());
    if (std::ranges::all_of(maps, [&](const Value& map) { return map.keys.identical(maps[0].keys); })) {
      put(".keys", maps[0].keys);
      return put_joined(".values", values, {count, maps[0].keys.count()});
    }
    const std::int64_t total = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    put(".sizes", whole_numbers(sizes));
    if (auto ok = put_joined(".keys", keys, {total}); !ok) return ok;
    return put_joined(".values", values, {total});
  }

  const std::string& name_;
  Parts& parts_;
};

}  // namespace

std::string_view name_of(Value::Kind kind) {
  constexpr std::string_view names[] = {"tensor", "map", "sequence", "optional"};
  return names[static_cast<int>(kind)];
}

Result<std::vector<NamedTensor>> flatten(const std::string& name, const Value& value) {
  Parts parts;
  if (auto ok = Flattener(name, parts).add(value); !ok) return tl::unexpected(ok.error());
  return parts;
}

}  // namespace culprit
