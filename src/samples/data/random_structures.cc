#include "data/random_structures.h"

#include <algorithm>
#include <array>

#include "data/fits_declaration.h"

namespace culprit {
namespace {

constexpr std::int64_t most_keys = 16;

/// One way of filling in what declarations of sequences and optionals leave open.
struct StructureForm {
  std::array<std::int64_t, 3> lengths;  // of sequences, by sample
  bool may_be_absent;                   // every third optional, beginning with the second sample's
  Shape shape;                          // of elements of unknown rank
};
const std::array<StructureForm, 4>& ways() {
  static const std::array<StructureForm, 4> all = {{{{2, 3, 0}, true, {2, 3}},
                                                    {{2, 3, 1}, false, {2, 3}},
                                                    {{2, 2, 2}, false, {3}},
                                                    {{1, 1, 1}, false, {1, 3, 8, 8}}}};
  return all;
}

tl::unexpected<Error> cannot_be_made(const ValueInfo& declared, const std::string& why) {
  return fail(ErrorKind::unsupported, "input '" + declared.text() + "' " + why,
              "give it with --input " + declared.name + "=FILE.pb or --data FOLDER");
}

/// The tensor at the bottom of a declaration.
ValueInfo bottom_of(const ValueInfo& declared, const StructureForm& way) {
  ValueInfo tensor = declared;
  tensor.kind = ValueInfo::Kind::tensor;
  tensor.inside.clear();
  if (tensor.has_shape) return tensor;
  tensor.has_shape = true;
  for (const std::int64_t size : way.shape) tensor.dims.push_back({size, ""});
  return tensor;
}

Tensor default_keys(DType type) {
  if (type == DType::string) return Tensor::from_strings({3}, {"a", "b", "c"}).value();
  return Tensor::of<std::int64_t>({3}, {0, 1, 2});
}

/// All in the first sample, and of each four about three in the others, but never none.
Result<Tensor> some_of(const Tensor& keys, std::int64_t index, Random& random) {
  std::vector<std::string> strings;
  std::vector<std::int64_t> numbers;
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < std::min(keys.count(), most_keys); ++i) {
    const bool is_taken = index == 0 || random.between(0, 3) > 0 || (count == 0 && i + 1 == keys.count());
    if (!is_taken) continue;
    ++count;
    if (keys.dtype() == DType::string) {
      strings.push_back(keys.strings()[static_cast<std::size_t>(i)]);
    } else {
      numbers.push_back(keys.as<std::int64_t>()[static_cast<std::size_t>(i)]);
    }
  }
  if (keys.dtype() == DType::string) return Tensor::from_strings({count}, std::move(strings));
  return Tensor::of<std::int64_t>({count}, numbers);
}

class StructureDrawing {
 public:
  StructureDrawing(const ValueInfo& declared, const SynthesisPlan& plan, std::int64_t index, Random& random,
                   const DrawTensor& draw)
      : declared_(declared),
        plan_(plan),
        way_(ways()[std::min(plan.way, ways().size() - 1)]),
        index_(index),
        random_(random),
        draw_(draw) {}

  Result<Value> value(std::span<const Value::Kind> form) {
    switch (form.front()) {
      case Value::Kind::tensor:
        return tensor();
      case Value::Kind::map:
        return map();
      case Value::Kind::sequence:
        return several(Value::Kind::sequence, form, way_.lengths[static_cast<std::size_t>(index_ % 3)]);
      case Value::Kind::optional:
        break;
    }
    return several(Value::Kind::optional, form, way_.may_be_absent && index_ % 3 == 1 ? 0 : 1);
  }

 private:
  Result<Value> several(Value::Kind kind, std::span<const Value::Kind> form, std::int64_t count) {
    Value result{.kind = kind};
    for (std::int64_t i = 0; i < count; ++i) {
      auto item = value(form.subspan(1));
      if (!item) return item;
      result.items.push_back(std::move(*item));
    }
    return result;
  }

  Result<Value> tensor() {
    auto drawn = draw_(bottom_of(declared_, way_), random_);
    if (!drawn) return tl::unexpected(drawn.error());
    return Value{.kind = Value::Kind::tensor, .tensor = std::move(*drawn)};
  }

  Result<Value> map() {
    const auto known = plan_.map_keys.find(declared_.name);
    const bool fits = known != plan_.map_keys.end() && known->second.dtype() == declared_.keys;
    auto keys = some_of(fits ? known->second : default_keys(declared_.keys), index_, random_);
    if (!keys) return tl::unexpected(keys.error());
    ValueInfo entries = bottom_of(declared_, way_);
    entries.dims = {{keys->count(), ""}};
    auto values = draw_(entries, random_);
    if (!values) return tl::unexpected(values.error());
    return Value{.kind = Value::Kind::map, .keys = std::move(*keys), .values = std::move(*values)};
  }

  const ValueInfo& declared_;
  const SynthesisPlan& plan_;
  const StructureForm& way_;
  std::int64_t index_;
  Random& random_;
  const DrawTensor& draw_;
};

/// "sequence(float32[2])": what a value is, by its first element.
std::string found_text(const Value& value) {
  switch (value.kind) {
    case Value::Kind::tensor:
      return type_text(value.tensor);
    case Value::Kind::map:
      return "map(" + std::string(name_of(value.keys.dtype())) + " -> " + std::string(name_of(value.values.dtype())) +
             ")";
    default:
      return std::string(name_of(value.kind)) + "(" + (value.items.empty() ? "" : found_text(value.items.front())) +
             ")";
  }
}

bool fits(const ValueInfo& declared, const Value& value, std::span<const Value::Kind> form) {
  if (value.kind != form.front()) return false;
  if (value.kind == Value::Kind::map) {
    const bool same_keys = declared.keys == DType::undefined || value.keys.dtype() == declared.keys;
    return same_keys && (declared.dtype == DType::undefined || value.values.dtype() == declared.dtype);
  }
  if (value.kind != Value::Kind::tensor) {
    return std::ranges::all_of(value.items, [&](const Value& item) { return fits(declared, item, form.subspan(1)); });
  }
  ValueInfo tensor = declared;
  tensor.kind = ValueInfo::Kind::tensor;
  return expect_fit(tensor, value.tensor, "").has_value();
}

}  // namespace

bool is_structured(const ValueInfo& declared) {
  using Kind = ValueInfo::Kind;
  return declared.kind == Kind::sequence || declared.kind == Kind::map || declared.kind == Kind::optional;
}

bool has_structured_inputs(const Interface& interface) {
  return std::ranges::any_of(interface.inputs, is_structured) ||
         std::ranges::any_of(interface.optional_inputs, is_structured);
}

Result<std::vector<Value::Kind>> form_of(const ValueInfo& declared) {
  using Kind = ValueInfo::Kind;
  std::vector<Value::Kind> form;
  std::vector<Kind> kinds = {declared.kind};
  kinds.insert(kinds.end(), declared.inside.begin(), declared.inside.end());
  for (const Kind kind : kinds) {
    if (kind == Kind::sequence) form.push_back(Value::Kind::sequence);
    if (kind == Kind::map) form.push_back(Value::Kind::map);
    if (kind == Kind::optional) form.push_back(Value::Kind::optional);
    if (kind == Kind::sparse_tensor || kind == Kind::unknown) return cannot_be_made(declared, "cannot be fed");
  }
  if (form.empty() || form.back() != Value::Kind::map) form.push_back(Value::Kind::tensor);
  using V = Value::Kind;
  const std::vector<std::vector<V>> known = {{V::tensor},
                                             {V::map},
                                             {V::sequence, V::tensor},
                                             {V::sequence, V::map},
                                             {V::optional, V::tensor},
                                             {V::optional, V::sequence, V::tensor}};
  if (std::ranges::find(known, form) == known.end()) return cannot_be_made(declared, "is nested too deeply");
  return form;
}

Result<std::vector<NamedTensor>> draw_structured(const ValueInfo& declared, const SynthesisPlan& plan,
                                                 std::int64_t index, Random& random, const DrawTensor& draw) {
  const auto form = form_of(declared);
  if (!form) return tl::unexpected(form.error());
  auto value = StructureDrawing(declared, plan, index, random, draw).value(*form);
  if (!value) return tl::unexpected(value.error());
  return flatten(declared.name, *value);
}

std::vector<LikelyPlan> in_all_ways(const std::vector<LikelyPlan>& plans, const Interface& interface,
                                    std::size_t limit) {
  if (!has_structured_inputs(interface)) return plans;
  std::vector<LikelyPlan> all;
  for (const LikelyPlan& plan : plans) {
    for (std::size_t way = 0; way < ways().size() && all.size() < limit; ++way) {
      all.push_back(plan);
      all.back().plan.way = way;
    }
  }
  return all;
}

Result<void> expect_structure(const ValueInfo& declared, const Value& value, const std::string& where) {
  const auto form = form_of(declared);
  if (!form) return tl::unexpected(form.error());
  if (fits(declared, value, *form)) return {};
  return fail(ErrorKind::bad_input, where + " is " + found_text(value) + ", but the model wants " + declared.text());
}

}  // namespace culprit
