#include "judge/paired_parts.h"

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "judge/scales.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

using Span = std::span<const NamedTensor>;

constexpr std::int64_t keys_shown = 6;

const Tensor* find(Span parts, const std::string& part) {
  const auto at = std::ranges::find(parts, part, &NamedTensor::part);
  return at == parts.end() ? nullptr : &at->value;
}

std::string keys_text(const Tensor& keys) {
  std::string text;
  for (std::int64_t i = 0; i < std::min(keys.count(), keys_shown); ++i) {
    if (i > 0) text += ", ";
    const bool is_text = keys.dtype() == DType::string;
    text += is_text ? "'" + printable(keys.strings()[static_cast<std::size_t>(i)], 30) + "'"
                    : std::to_string(static_cast<std::int64_t>(keys.number(i)));
  }
  if (keys.count() == 0) return "no keys";
  return text + (keys.count() > keys_shown ? ", ... (" + std::to_string(keys.count()) + ")" : "");
}

std::string integer_text(const Tensor& number) { return std::to_string(static_cast<std::int64_t>(number.number(0))); }

/// What a part that tells the form says that it did not say before.
std::string change_of(const std::string& part, const Tensor& before, const Tensor& after) {
  if (part == ".length") return "sequence length " + integer_text(before) + " became " + integer_text(after);
  if (part == ".present") return before.number(0) != 0 ? "a value became none" : "no value became one";
  if (part == ".keys") return "keys " + keys_text(before) + " became " + keys_text(after);
  if (part == ".sizes") return "the sizes of the maps became others";
  return "the shapes in the sequence became others";
}

/// The same of a part that holds sizes, where rounding alone changes these as well.
std::string resize_of(const std::string& part, const Tensor& before, const Tensor& after) {
  if (part == ".length") return "sequence length " + integer_text(before) + " resized to " + integer_text(after);
  return "the shapes in the sequence resized to others";
}

std::string form_text(Span parts) {
  const auto kind = kind_of(parts);
  if (kind == Value::Kind::optional) return "an optional";
  return "a " + std::string(name_of(kind));
}

/// The first part that tells of another form, and what it tells; nothing where the form is the same.
struct Change {
  std::size_t part = 0;
  std::string text;
  std::int64_t resized = 0;  // as in PartPair
  std::string as_resized{};
};

/// Of a part that holds sizes, and is as long as it was.
std::int64_t resize_between(const std::string& part, const Tensor& before, const Tensor& after) {
  if ((part != ".length" && part != ".shapes") || before.count() != after.count()) return 0;
  double most = 0;
  for (std::int64_t i = 0; i < before.count(); ++i) most = std::max(most, std::abs(after.number(i) - before.number(i)));
  return std::llround(most);
}

Change change_between(Span reference, Span variant) {
  if (kind_of(reference) != kind_of(variant)) return {0, form_text(reference) + " became " + form_text(variant)};
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const Tensor* after = find(variant, reference[i].part);
    if (is_form(reference[i].part) && after != nullptr && !reference[i].value.identical(*after))
      return {i, change_of(reference[i].part, reference[i].value, *after),
              resize_between(reference[i].part, reference[i].value, *after),
              resize_of(reference[i].part, reference[i].value, *after)};
  }
  const auto lacks = [](Span parts, const NamedTensor& part) { return find(parts, part.part) == nullptr; };
  for (std::size_t i = 0; i < reference.size(); ++i) {
    if (!lacks(variant, reference[i])) continue;
    const bool own_keys = reference[i].part == ".sizes";
    return {i, own_keys ? "maps with keys of their own became maps with the same keys" : "its parts became others"};
  }
  const bool has_more = std::ranges::any_of(variant, [&](const auto& part) { return lacks(reference, part); });
  if (!has_more) return {};
  const bool own_keys = find(variant, ".sizes") != nullptr;
  return {0, own_keys ? "maps with the same keys became maps with keys of their own" : "its parts became others"};
}

void add_pairs(Span reference, std::span<const std::string> labels, Span variant, std::vector<PartPair>& pairs) {
  if (variant.empty()) {
    for (std::size_t i = 0; i < reference.size(); ++i)
      pairs.push_back({labels[i], &reference[i].value, nullptr, "", false, 0, reference[i].name});
    return;
  }
  const Change change = change_between(reference, variant);
  if (!change.text.empty()) {
    const NamedTensor& part = reference[change.part];
    pairs.push_back(
        {labels[change.part], &part.value, nullptr, change.text, true, change.resized, part.name, change.as_resized});
    return;
  }
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const std::string& part = reference[i].part;
    pairs.push_back({labels[i], &reference[i].value, find(variant, part), "", is_form(part), 0, reference[i].name});
  }
}

}  // namespace

std::vector<PartPair> pair_parts(std::span<const NamedTensor> reference, std::span<const NamedTensor> variant,
                                 const std::vector<std::size_t>& positions) {
  const auto labels = labels_of(reference);
  const auto found = values_in(variant);
  std::vector<PartPair> pairs;
  std::size_t first = 0, value = 0;
  for (const Span& parts : values_in(reference)) {
    const std::size_t at = value < positions.size() ? positions[value] : value;
    add_pairs(parts, std::span(labels).subspan(first, parts.size()), at < found.size() ? found[at] : Span(), pairs);
    first += parts.size();
    ++value;
  }
  return pairs;
}

void add_draw(Drawn& drawn, const PartPair& pair, unsigned ulps) {
  if (pair.variant != nullptr) return add_draw(drawn, *pair.reference, *pair.variant, ulps);
  ++drawn.discarded;
  if (pair.resized == 0) return;
  drawn.resized.resize(1);
  drawn.resized[0] = std::max(drawn.resized[0], pair.resized);
}

Measurement measure(const PartPair& pair, const Tolerance& tolerance, const Rounding& rounding) {
  if (!pair.change.empty()) {
    const auto* known = rounding.explained;
    const bool is_rounding = known != nullptr && pair.resized > 0 && !known->drawn.resized.empty() &&
                             pair.resized <= times_resized * known->drawn.resized[0];
    return is_rounding ? resized(pair.reference->count(), pair.as_resized)
                       : unlike(*pair.reference, FormChange::other, pair.change);
  }
  return measure(*pair.reference, pair.variant != nullptr ? *pair.variant : Tensor(), tolerance, rounding);
}

}  // namespace culprit
