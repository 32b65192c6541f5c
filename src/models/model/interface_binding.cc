#include "model/interface_binding.h"

#include <algorithm>
#include <iterator>
#include <optional>
namespace culprit {
namespace {

struct Side {
  const char* word;  // "input" or "output", for messages
  bool may_change;   // the contract allows other names, types and order
};

tl::unexpected<Error> changed(std::string message) { return fail(ErrorKind::bad_input, std::move(message)); }

std::string named(const Side& side, const ValueInfo& value) { return std::string(side.word) + " '" + value.name + "'"; }

std::optional<std::size_t> find(const ValueInfos& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &ValueInfo::name);
  if (at == values.end()) return std::nullopt;
  return static_cast<std::size_t>(at - values.begin());
}

bool is_number(DType type) { return type != DType::string; }

bool type_agrees(const ValueInfo& a, const ValueInfo& b, const Side& side) {
  if (a.dtype == b.dtype || a.dtype == DType::undefined || b.dtype == DType::undefined) return true;
  return side.may_change && a.kind == ValueInfo::Kind::tensor && is_number(a.dtype) && is_number(b.dtype);
}

bool dim_agrees(const Dim& a, const Dim& b) { return !a.value || !b.value || *a.value == *b.value; }

bool shape_agrees(const ValueInfo& a, const ValueInfo& b) {
  if (!a.has_shape || !b.has_shape) return true;
  return std::ranges::equal(a.dims, b.dims, dim_agrees);
}

bool kind_agrees(const ValueInfo& a, const ValueInfo& b) {
  if (a.kind == ValueInfo::Kind::unknown || b.kind == ValueInfo::Kind::unknown) return true;
  const bool same_keys = a.keys == b.keys || a.keys == DType::undefined || b.keys == DType::undefined;
  return a.kind == b.kind && a.inside == b.inside && same_keys;
}

bool agrees(const ValueInfo& a, const ValueInfo& b, const Side& side) {
  return kind_agrees(a, b) && type_agrees(a, b, side) && shape_agrees(a, b);
}

/// What stands behind the name in "x: float32[2]".
std::string declaration(const ValueInfo& value) {
  std::string text = value.text();
  const std::string prefix = value.name + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

Result<void> expect_agreement(const ValueInfo& original, const ValueInfo& variant, const Side& side) {
  if (agrees(original, variant, side)) return {};
  return changed(named(side, original) + " became " + declaration(variant) + " (was " + declaration(original) + ")");
}

/// For each original value its position in the variant, or what is missing.
Result<std::vector<std::size_t>> positions_by_name(const ValueInfos& originals, const ValueInfos& variants,
                                                   const Side& side) {
  std::vector<std::size_t> positions;
  for (const ValueInfo& original : originals) {
    const auto at = find(variants, original.name);
    if (!at) return changed(named(side, original) + " is gone");
    positions.push_back(*at);
  }
  return positions;
}

Result<void> expect_same_order(const std::vector<std::size_t>& positions, const Side& side) {
  if (side.may_change || std::ranges::is_sorted(positions)) return {};
  return changed(std::string(side.word) + "s were reordered");
}

tl::unexpected<Error> other_count(const ValueInfos& originals, const ValueInfos& variants, const Side& side) {
  return changed("there are " + std::to_string(variants.size()) + " " + side.word + "s (were " +
                 std::to_string(originals.size()) + ")");
}

Result<void> expect_nothing_added(const ValueInfos& originals, const ValueInfos& variants, const Side& side) {
  for (const ValueInfo& variant : variants) {
    if (!find(originals, variant.name)) return changed(named(side, variant) + " was added");
  }
  if (variants.size() > originals.size()) return other_count(originals, variants, side);
  return {};
}

Result<std::vector<std::size_t>> bind_by_position(const ValueInfos& originals, const ValueInfos& variants,
                                                  const Side& side) {
  if (originals.size() != variants.size()) {
    return other_count(originals, variants, side);
  }
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < originals.size(); ++i) {
    if (auto ok = expect_agreement(originals[i], variants[i], side); !ok) return tl::unexpected(ok.error());
    positions.push_back(i);
  }
  return positions;
}

Result<void> expect_no_lost_default(const Interface& original, const Interface& variant) {
  for (const ValueInfo& input : variant.inputs) {
    if (find(original.optional_inputs, input.name) && !find(original.inputs, input.name)) {
      return changed("input '" + input.name + "' lost its default");
    }
  }
  return {};
}

BoundInput bound(const ValueInfo& original, const ValueInfo& variant) {
  const bool same = original.dtype == variant.dtype || variant.dtype == DType::undefined;
  return {original.name, variant.name, same ? DType::undefined : variant.dtype};
}

/// The positions of the inputs that are still without a default, for their order.
std::vector<std::size_t> among_inputs(const std::vector<std::size_t>& positions, std::size_t inputs) {
  std::vector<std::size_t> kept;
  std::ranges::copy_if(positions, std::back_inserter(kept), [&](std::size_t at) { return at < inputs; });
  return kept;
}

Result<std::vector<BoundInput>> inputs_by_name(const Interface& original, const Interface& variant, const Side& side) {
  const ValueInfos candidates = feedable(variant);
  auto positions = positions_by_name(original.inputs, candidates, side);
  if (!positions) return tl::unexpected(positions.error());
  if (auto ok = expect_nothing_added(original.inputs, variant.inputs, side); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_same_order(among_inputs(*positions, variant.inputs.size()), side); !ok) {
    return tl::unexpected(ok.error());
  }
  std::vector<BoundInput> inputs;
  for (std::size_t i = 0; i < positions->size(); ++i) {
    const ValueInfo& target = candidates[(*positions)[i]];
    if (auto ok = expect_agreement(original.inputs[i], target, side); !ok) return tl::unexpected(ok.error());
    inputs.push_back(bound(original.inputs[i], target));
  }
  return inputs;
}

Result<std::vector<BoundInput>> inputs_by_position(const Interface& original, const Interface& variant,
                                                   const Side& side) {
  auto positions = bind_by_position(original.inputs, variant.inputs, side);
  if (!positions) return tl::unexpected(positions.error());
  std::vector<BoundInput> inputs;
  for (std::size_t i = 0; i < positions->size(); ++i) {
    inputs.push_back(bound(original.inputs[i], variant.inputs[i]));
  }
  return inputs;
}

Result<std::vector<std::size_t>> outputs_by_name(const ValueInfos& originals, const ValueInfos& variants,
                                                 const Side& side) {
  auto positions = positions_by_name(originals, variants, side);
  if (!positions) return positions;
  if (auto ok = expect_nothing_added(originals, variants, side); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_same_order(*positions, side); !ok) return tl::unexpected(ok.error());
  for (std::size_t i = 0; i < positions->size(); ++i) {
    if (auto ok = expect_agreement(originals[i], variants[(*positions)[i]], side); !ok) {
      return tl::unexpected(ok.error());
    }
  }
  return positions;
}

/// The shapes that this output had.
std::vector<Shape> shapes_of(const std::string& name, const std::vector<std::vector<NamedTensor>>& outputs) {
  std::vector<Shape> shapes;
  for (const auto& of_sample : outputs) {
    const auto given = std::ranges::find(of_sample, name, &NamedTensor::name);
    if (given != of_sample.end()) shapes.push_back(given->value.shape());
  }
  return shapes;
}

bool keeps_to(const ValueInfo& declared, const Shape& shape) {
  const auto agrees = [](const Dim& dim, std::int64_t size) { return !dim.value || *dim.value == size; };
  return std::ranges::equal(declared.dims, shape, agrees);
}

/// As these shapes say; what differs among them is unknown.
void declare_as(ValueInfo& declared, const std::vector<Shape>& shapes) {
  const Shape& first = shapes.front();
  declared.dims.clear();
  declared.has_shape = std::ranges::all_of(shapes, [&](const Shape& one) { return one.size() == first.size(); });
  for (std::size_t axis = 0; declared.has_shape && axis < first.size(); ++axis) {
    const bool is_fixed = std::ranges::all_of(shapes, [&](const Shape& one) { return one[axis] == first[axis]; });
    declared.dims.push_back(is_fixed ? Dim{first[axis], ""} : Dim{});
  }
}

}  // namespace

RenamedOutputs renamed_outputs(const Binding& binding, const Interface& original, const Interface& variant) {
  RenamedOutputs renamed;
  for (std::size_t i = 0; i < std::min(binding.outputs.size(), original.outputs.size()); ++i) {
    const std::string &one = original.outputs[i].name, &other = variant.outputs.at(binding.outputs[i]).name;
    if (one != other) renamed.emplace_back(one, other);
  }
  return renamed;
}

ValueInfos feedable(const Interface& interface) {
  ValueInfos all = interface.inputs;
  all.insert(all.end(), interface.optional_inputs.begin(), interface.optional_inputs.end());
  return all;
}

Interface with_true_sizes(Interface declared, const std::vector<std::vector<NamedTensor>>& outputs) {
  for (ValueInfo& output : declared.outputs) {
    if (!output.has_shape || output.kind != ValueInfo::Kind::tensor) continue;
    const std::vector<Shape> shapes = shapes_of(output.name, outputs);
    const bool is_true = std::ranges::all_of(shapes, [&](const Shape& shape) { return keeps_to(output, shape); });
    if (!is_true) declare_as(output, shapes);
  }
  return declared;
}

Result<Binding> bind(const Interface& original, const Interface& variant, Contract contract) {
  const Side in{"input", contract == Contract::interface};
  const Side out{"output", contract == Contract::interface};
  if (auto ok = expect_no_lost_default(original, variant); !ok) return tl::unexpected(ok.error());
  Binding binding;
  auto inputs = inputs_by_name(original, variant, in);
  if (!inputs && in.may_change) {
    binding.by_name = false;
    inputs = inputs_by_position(original, variant, in);
  }
  if (!inputs) return tl::unexpected(inputs.error());
  auto outputs = outputs_by_name(original.outputs, variant.outputs, out);
  if (!outputs && out.may_change) {
    binding.by_name = false;
    outputs = bind_by_position(original.outputs, variant.outputs, out);
  }
  if (!outputs) return tl::unexpected(outputs.error());
  binding.inputs = std::move(*inputs);
  binding.outputs = std::move(*outputs);
  return binding;
}

}  // namespace culprit
