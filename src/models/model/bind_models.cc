#include "model/bind_models.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/text.h"

namespace culprit {
namespace {

using Pairs = std::map<std::string, std::string>;  // A's name -> B's

const ValueInfo* value_named(const ValueInfos& values, const std::string& name) {
  const auto at = std::ranges::find(values, name, &ValueInfo::name);
  return at == values.end() ? nullptr : &*at;
}

bool types_agree(const ValueInfo& a, const ValueInfo& b) {
  if (a.dtype == b.dtype || a.dtype == DType::undefined || b.dtype == DType::undefined) return true;
  return a.kind == ValueInfo::Kind::tensor && a.dtype != DType::string && b.dtype != DType::string;
}

bool agree(const ValueInfo& a, const ValueInfo& b) {
  const bool is_known = a.kind != ValueInfo::Kind::unknown && b.kind != ValueInfo::Kind::unknown;
  if (is_known && (a.kind != b.kind || a.inside != b.inside)) return false;
  if (!types_agree(a, b)) return false;
  const auto sizes_agree = [](const Dim& x, const Dim& y) { return !x.value || !y.value || *x.value == *y.value; };
  return !a.has_shape || !b.has_shape || std::ranges::equal(a.dims, b.dims, sizes_agree);
}

/// What --map says, as far as it names values of these.
struct Said {
  Pairs inputs, outputs;
};

/// Each stands for one other, once.
Result<void> add(const std::string& one, const std::string& other, Pairs& pairs) {
  const auto told = [](const std::string& a, const std::string& b) {
    return printable(a, 100) + "=" + printable(b, 100);
  };
  for (const auto& [known, its_other] : pairs) {
    if ((known == one) == (its_other == other)) continue;
    return fail(ErrorKind::usage,
                "--map " + told(known, its_other) + " and --map " + told(one, other) + " contradict each other",
                "bind each input and output once");
  }
  pairs[one] = other;
  return {};
}

Result<Said> read_map(const Interface& a, const Interface& b, std::span<const std::string> map) {
  Said said;
  const ValueInfos inputs_a = feedable(a), inputs_b = feedable(b);
  for (const std::string& text : map) {
    bool is_found = false;
    // Names may hold a '=' themselves.
    for (auto equals = text.find('='); equals != std::string::npos && !is_found; equals = text.find('=', equals + 1)) {
      const std::string one = text.substr(0, equals), other = text.substr(equals + 1);
      const auto note = [&](Pairs& pairs, const ValueInfos& of_a, const ValueInfos& of_b) {
        if (value_named(of_a, one) == nullptr || value_named(of_b, other) == nullptr) return Result<void>();
        is_found = true;
        return add(one, other, pairs);
      };
      if (auto ok = note(said.inputs, inputs_a, inputs_b); !ok) return tl::unexpected(ok.error());
      if (auto ok = note(said.outputs, a.outputs, b.outputs); !ok) return tl::unexpected(ok.error());
    }
    if (!is_found) {
      return fail(ErrorKind::usage,
                  "--map " + printable(text, 100) + ": not an input of both models, nor an output of both",
                  "give A's name, '=', and B's name");
    }
  }
  return said;
}

class Pairing {
 public:
  Pairing(const char* what, const ValueInfos& a, const ValueInfos& b, const ModelNames& names)
      : what_(what), a_(a), b_(b), names_(names) {}

  Result<void> pair(const Pairs& said) {
    for (const auto& [one, other] : said) {
      if (auto ok = take(one, other); !ok) return ok;
    }
    for (const ValueInfo& value : a_) {
      if (value_named(b_, value.name) == nullptr || pairs_.contains(value.name) || is_taken(value.name)) continue;
      if (auto ok = take(value.name, value.name); !ok) return ok;
    }
    if (auto ok = pair_by_tensor(); !ok) return ok;
    pair_by_position();
    return {};
  }

  [[nodiscard]] bool is_taken(const std::string& of_b) const {
    return std::ranges::any_of(pairs_, [&](const auto& pair) { return pair.second == of_b; });
  }
  [[nodiscard]] const Pairs& pairs() const { return pairs_; }

 private:
  Result<void> take(const std::string& one, const std::string& other) {
    if (!agree(*value_named(a_, one), *value_named(b_, other))) {
      return fail(ErrorKind::bad_input, std::string(what_) + " " + printable(value_named(a_, one)->text(), 150) +
                                            " of " + names_.a + " cannot stand for " +
                                            printable(value_named(b_, other)->text(), 150) + " of " + names_.b);
    }
    pairs_[one] = other;
    return {};
  }

  /// Where a file has a second name for a value, that of its tensor.
  Result<void> pair_by_tensor() {
    const auto is_same = [](const ValueInfo& one, const ValueInfo& other) {
      if (one.tensor.empty() && other.tensor.empty()) return false;
      return one.tensor == other.name || one.name == other.tensor || one.tensor == other.tensor;
    };
    for (const ValueInfo& value : a_) {
      if (pairs_.contains(value.name)) continue;
      const auto found = std::ranges::find_if(
          b_, [&](const ValueInfo& other) { return is_same(value, other) && !is_taken(other.name); });
      if (found == b_.end()) continue;
      if (auto ok = take(value.name, found->name); !ok) return ok;
    }
    return {};
  }

  void pair_by_position() {
    ValueInfos left_a, left_b;
    for (const ValueInfo& value : a_) {
      if (!pairs_.contains(value.name)) left_a.push_back(value);
    }
    for (const ValueInfo& value : b_) {
      if (!is_taken(value.name)) left_b.push_back(value);
    }
    if (left_a.size() != left_b.size()) return;
    if (!std::ranges::equal(left_a, left_b, agree)) return pair_by_shape(left_a, left_b);
    for (std::size_t i = 0; i < left_a.size(); ++i) pairs_[left_a[i].name] = left_b[i].name;
  }

  /// In another order, where each agrees with one and no other.
  void pair_by_shape(const ValueInfos& left_a, const ValueInfos& left_b) {
    Pairs pairs;
    for (const ValueInfo& one : left_a) {
      const auto fits = [&](const ValueInfo& other) { return agree(one, other); };
      const auto found = std::ranges::find_if(left_b, fits);
      if (found == left_b.end() || std::ranges::count_if(left_b, fits) > 1) return;
      if (std::ranges::any_of(pairs, [&](const auto& pair) { return pair.second == found->name; })) return;
      pairs[one.name] = found->name;
    }
    pairs_.insert(pairs.begin(), pairs.end());
  }

  const char* what_;
  const ValueInfos& a_;
  const ValueInfos& b_;
  const ModelNames& names_;
  Pairs pairs_;
};

std::string names_of(const ValueInfos& values) {
  std::vector<std::string> names;
  for (const ValueInfo& value : values) names.push_back(printable(value.text(), 80));
  if (names.size() > 4) names.resize(4), names.emplace_back("...");
  return names.empty() ? "none" : join(names, ", ");
}

tl::unexpected<Error> nothing_in_common(const char* what, const ValueInfos& a, const ValueInfos& b,
                                        const ModelNames& names) {
  return fail(ErrorKind::bad_input,
              std::string("the two models have nothing in common: their ") + what + "s do not match (" + names.a +
                  ": " + names_of(a) + "; " + names.b + ": " + names_of(b) + ")",
              std::string("bind them by --map A_NAME=B_NAME if they mean the same"));
}

/// All that A is given is bound, and yet B needs something: no binding helps.
tl::unexpected<Error> needs_more(const ValueInfo& input, const ModelNames& names) {
  return fail(ErrorKind::unsupported,
              names.b + " needs an input that " + names.a + " does not have: " + printable(input.text(), 150) +
                  ", so the two cannot be run on the same data",
              "give it a value in " + names.b + " (an initializer of that name), and compare again");
}

DType cast_for(const ValueInfo& a, const ValueInfo& b) {
  return a.dtype == b.dtype || b.dtype == DType::undefined ? DType::undefined : b.dtype;
}

Result<void> bind_inputs_of(const Interface& a, const Interface& b, const Pairs& said, const ModelNames& names,
                            ModelBinding& binding) {
  // Inputs that have a default need not be fed; they are bound by --map or name only.
  ValueInfos targets = b.inputs;
  for (const ValueInfo& value : b.optional_inputs) {
    const bool is_said = std::ranges::any_of(said, [&](const auto& pair) { return pair.second == value.name; });
    if (is_said || value_named(a.inputs, value.name) != nullptr) targets.push_back(value);
  }
  ValueInfos sources = a.inputs;
  for (const ValueInfo& value : a.optional_inputs) {
    if (said.contains(value.name)) sources.push_back(value);
  }
  Pairing pairing("input", sources, targets, names);
  if (auto ok = pairing.pair(said); !ok) return ok;
  for (const ValueInfo& value : b.inputs) {
    if (pairing.is_taken(value.name)) continue;
    if (!sources.empty() && pairing.pairs().size() == sources.size()) return needs_more(value, names);
    return nothing_in_common("input", a.inputs, b.inputs, names);
  }
  for (const ValueInfo& value : sources) {
    const auto at = pairing.pairs().find(value.name);
    if (at == pairing.pairs().end()) {
      binding.unbound.push_back("input '" + value.name + "' of " + names.a);
    } else {
      binding.inputs.push_back({value.name, at->second, cast_for(value, *value_named(targets, at->second))});
    }
  }
  return {};
}

Result<void> bind_outputs_of(const Interface& a, const Interface& b, const Pairs& said, const ModelNames& names,
                             ModelBinding& binding) {
  Pairing pairing("output", a.outputs, b.outputs, names);
  if (auto ok = pairing.pair(said); !ok) return ok;
  if (pairing.pairs().empty()) return nothing_in_common("output", a.outputs, b.outputs, names);
  for (const ValueInfo& value : a.outputs) {
    const auto at = pairing.pairs().find(value.name);
    if (at == pairing.pairs().end())
      binding.unbound.push_back("output '" + value.name + "' of " + names.a);
    else
      binding.outputs.emplace_back(value.name, at->second);
  }
  for (const ValueInfo& value : b.outputs) {
    if (!pairing.is_taken(value.name)) binding.unbound.push_back("output '" + value.name + "' of " + names.b);
  }
  return {};
}

}  // namespace

Result<ModelBinding> bind_models(const Interface& a, const Interface& b, std::span<const std::string> map,
                                 const ModelNames& names) {
  const auto said = read_map(a, b, map);
  if (!said) return tl::unexpected(said.error());
  ModelBinding binding;
  if (auto ok = bind_inputs_of(a, b, said->inputs, names, binding); !ok) return tl::unexpected(ok.error());
  if (auto ok = bind_outputs_of(a, b, said->outputs, names, binding); !ok) return tl::unexpected(ok.error());
  return binding;
}

std::vector<FixedSize> sizes_fixed_by(const Interface& a, const Interface& b, const ModelBinding& binding) {
  std::vector<FixedSize> sizes;
  for (const BoundInput& input : binding.inputs) {
    const auto one = std::ranges::find(a.inputs, input.original, &ValueInfo::name);
    const auto other = std::ranges::find(b.inputs, input.variant, &ValueInfo::name);
    if (one == a.inputs.end() || other == b.inputs.end()) continue;
    for (std::size_t axis = 0; axis < std::min(one->dims.size(), other->dims.size()); ++axis) {
      const auto& fixed = other->dims[axis].value;
      if (!one->dims[axis].value && fixed) sizes.push_back({*one, axis, *fixed});
    }
  }
  return sizes;
}

RenamedOutputs renamed_outputs(const ModelBinding& binding) {
  RenamedOutputs renamed;
  for (const auto& output : binding.outputs)
    if (output.first != output.second) renamed.push_back(output);
  return renamed;
}

std::vector<std::size_t> places_of_outputs(const ModelBinding& binding, const Interface& b) {
  std::vector<std::size_t> places;
  for (const auto& [of_a, of_b] : binding.outputs) {
    const auto at = std::ranges::find(b.outputs, of_b, &ValueInfo::name);
    places.push_back(static_cast<std::size_t>(at - b.outputs.begin()));
  }
  return places;
}

std::optional<Warning> names_differ(const ModelBinding& binding) {
  std::vector<std::string> others;
  const auto add = [&](const char* what, const std::string& one, const std::string& other) {
    if (one != other) others.push_back(fmt::format("{} '{}' is '{}'", what, printable(one, 60), printable(other, 60)));
  };
  for (const BoundInput& input : binding.inputs) add("input", input.original, input.variant);
  for (const auto& [one, other] : binding.outputs) add("output", one, other);
  if (others.empty()) return std::nullopt;
  constexpr std::size_t named = 3;
  const std::size_t more = others.size() - std::min(named, others.size());
  others.resize(others.size() - more);
  return Warning{"names_differ", "in B " + join(others, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "") +
                                     ": they are taken to stand for each other by the names of their tensors, "
                                     "by position or by shape. Callers that feed A "
                                     "by name cannot call B so; --map A_NAME=B_NAME says that it is meant"};
}

}  // namespace culprit
