#include "judge/weak_outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "judge/element_readers.h"
#include "tensor/perturb_elements.h"
#include "tensor/structured_value.h"

namespace culprit {
namespace {

constexpr double rounding_eps = 8;  // in units of eps x size: the noise floor grants as much to any output
constexpr std::int64_t fewest_to_saturate = 16;
constexpr std::int64_t fewest_one_hot = 8;  // fewer zeros and ones may well be the answer
constexpr double saturated_share = 0.999;
constexpr double rare_share = 1.0 / 16;  // at the rarer end; more of both tell as much as truth values do

void add_to(Hasher& hasher, const Tensor& value) {
  hasher.add(static_cast<std::int64_t>(value.dtype()));
  for (const std::int64_t dim : value.shape()) hasher.add(dim);
  hasher.add(value.bytes());
  for (const std::string& text : value.strings()) hasher.add(text);
}

Hash128 bits_of(const Tensor& value) {
  Hasher hasher;
  add_to(hasher, value);
  return hasher.finish();
}

Hash128 bits_of(std::span<const NamedTensor> values) {
  Hasher hasher;
  for (const NamedTensor& value : values) {
    hasher.add(value.name).add(value.part);
    add_to(hasher, value.value);
  }
  return hasher.finish();
}

std::string number_text(double number) { return fmt::format("{:.6g}", number == 0 ? 0.0 : number); }

std::string element_text(const Tensor& value, std::int64_t i) {
  if (value.dtype() == DType::string) {
    return "'" + printable(value.strings()[static_cast<std::size_t>(i)], 40) + "'";
  }
  if (value.dtype() == DType::boolean) return value.number(i) != 0 ? "true" : "false";
  return number_text(value.number(i));
}

/// Of types wide enough for a spread of several of them to be little; else 0.
double eps_of(DType type) { return is_nudgeable(type) ? epsilon_of(type) : 0; }

/// Element `i` of an exact type, bit for bit; 64-bit integers do not fit into a double.
Hash128 element_bits(const Tensor& value, std::int64_t i) {
  const std::size_t bits = bits_of(value.dtype());
  const auto at = static_cast<std::size_t>(i);
  Hasher hasher;
  if (value.dtype() == DType::string) {
    hasher.add(value.strings()[at]);
  } else if (bits < 8) {
    hasher.add(static_cast<std::int64_t>(value.number(i)));
  } else {
    hasher.add(value.bytes().subspan(at * bits / 8, bits / 8));
  }
  return hasher.finish();
}

/// Do equal bytes stand behind each other from one end to the other?
bool is_periodic(std::span<const std::byte> bytes, std::size_t period) {
  return bytes.size() <= period || std::ranges::equal(bytes.subspan(period), bytes.first(bytes.size() - period));
}

bool is_uniform(const Tensor& value) {
  if (value.dtype() == DType::string) {
    return std::ranges::adjacent_find(value.strings(), std::ranges::not_equal_to()) == value.strings().end();
  }
  if (const std::size_t bits = bits_of(value.dtype()); bits >= 8) return is_periodic(value.bytes(), bits / 8);
  for (std::int64_t i = 1; i < value.count(); ++i) {
    if (value.number(i) != value.number(0)) return false;
  }
  return true;
}

/// One 1 in each row along the last axis, and else zeros.
template <class Elements>
bool has_one_hot_rows(const Tensor& value, const Elements& elements) {
  if (value.shape().empty() || value.shape().back() < 2) return false;
  const std::int64_t row = value.shape().back();
  std::int64_t ones = 0;
  for (std::int64_t i = 0; i < value.count(); ++i) {
    const double number = elements.number(i);
    if (number != 0 && number != 1) return false;
    ones += number == 1 ? 1 : 0;
    if ((i + 1) % row != 0) continue;
    if (ones != 1) return false;
    ones = 0;
  }
  return true;
}

/// The share of elements on an extreme, where the extreme that comes now counts anew.
void count_extremes(double number, double& low, double& high, std::int64_t& at_low, std::int64_t& at_high, bool first) {
  if (first || number < low) low = number, at_low = 0;
  if (first || number > high) high = number, at_high = 0;
  at_low += number == low ? 1 : 0;
  at_high += number == high ? 1 : 0;
}

}  // namespace

void WeaknessWatch::add(std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs) {
  const Hash128 bits = bits_of(inputs);
  const auto labels = labels_of(outputs);
  for (std::size_t i = 0; i < outputs.size(); ++i) look_at(seen_of(labels[i], outputs[i]), outputs[i].value, bits);
  ++samples_;
}

WeaknessWatch::Seen& WeaknessWatch::seen_of(const std::string& label, const NamedTensor& part) {
  const auto [at, is_new] = where_.emplace(label, seen_.size());
  if (is_new) {
    Seen& seen = seen_.emplace_back();
    seen.name = label;
    seen.value = part.name;
    seen.is_form = is_form(part.part);
  }
  return seen_[at->second];
}

void WeaknessWatch::look_at(Seen& seen, const Tensor& value, const Hash128& inputs) {
  const Hash128 bits = bits_of(value);
  if (seen.samples++ == 0) {
    seen.first_sample = bits;
    seen.first_inputs = inputs;
  }
  seen.inputs_differ = seen.inputs_differ || inputs != seen.first_inputs;
  seen.repeats = seen.repeats && bits == seen.first_sample;
  if (value.count() == 0) return;
  const bool is_first = seen.elements == 0;
  if (is_first) seen.first = element_text(value, 0);
  look_at_numbers(seen, value);
  seen.elements += value.count();
  if (seen.is_float) return;
  const Hash128 element = element_bits(value, 0);
  if (is_first) seen.first_bits = element;
  seen.is_uniform = seen.is_uniform && element == seen.first_bits && is_uniform(value);
}

/// Floats: by value, so that zeros of either sign are one number.
void WeaknessWatch::look_at_numbers(Seen& seen, const Tensor& value) {
  seen.eps = eps_of(value.dtype());
  seen.is_float = with_float_elements(value.dtype(), value.count(), [&]<class Elements>(std::int64_t parts) {
    const Elements elements(value);
    std::int64_t finite = seen.elements - seen.nans - seen.infinite;
    for (std::int64_t i = 0; i < parts; ++i) {
      const double number = elements.number(i);
      if (std::isfinite(number)) {
        count_extremes(number, seen.low, seen.high, seen.at_low, seen.at_high, finite++ == 0);
      } else {
        ++(std::isnan(number) ? seen.nans : seen.infinite);
      }
    }
    seen.elements += parts - value.count();  // complex numbers are two
    seen.is_one_hot = seen.is_one_hot && parts == value.count() && has_one_hot_rows(value, elements);
  });
}

std::string WeaknessWatch::saturation(const Seen& seen) {
  if (seen.is_one_hot && seen.elements >= fewest_one_hot) return "exactly one-hot in every row, as if saturated";
  const bool two_ends = seen.low != seen.high;
  const std::int64_t at_ends = seen.at_low + (two_ends ? seen.at_high : 0);
  const double share = static_cast<double>(at_ends) / static_cast<double>(seen.elements);
  if (seen.elements < fewest_to_saturate || share < saturated_share) return "";
  const std::int64_t rarer = two_ends ? std::min(seen.at_low, seen.at_high) : 0;
  if (static_cast<double>(rarer) > rare_share * static_cast<double>(seen.elements)) return "";
  const std::string how_many = at_ends == seen.elements ? "all" : fmt::format("{:.2f} % of the", 100 * share);
  const std::string ends = number_text(seen.low) + (two_ends ? " or " + number_text(seen.high) : "");
  return fmt::format("{} in {} elements, as if saturated", ends, how_many);
}

bool WeaknessWatch::is_constant(const Seen& seen) {
  if (!seen.is_float) return seen.is_uniform;
  if (seen.nans + seen.infinite > 0) return false;
  const double size = std::max(std::abs(seen.low), std::abs(seen.high));
  return seen.high - seen.low <= rounding_eps * seen.eps * size;
}

std::string WeaknessWatch::reason(const Seen& seen) const {
  const std::string everywhere = samples_ > 1 ? " in all elements of all samples" : " in all elements";
  if (seen.elements == 0) return samples_ > 1 ? "empty in all samples" : "empty";
  if (seen.nans == seen.elements) return "NaN" + everywhere;
  if (seen.nans + seen.infinite == seen.elements) return (seen.nans > 0 ? "NaN or infinite" : "infinite") + everywhere;
  if (is_constant(seen) && seen.elements > 1) {
    return seen.first + everywhere + (seen.is_float && seen.low != seen.high ? ", up to rounding" : "");
  }
  if (seen.inputs_differ && seen.repeats) return "the same in all samples, though their inputs differ";
  return seen.is_float ? saturation(seen) : "";
}

/// A part that tells the form only counts where there is nothing else.
bool WeaknessWatch::counts(const Seen& seen) const {
  if (!seen.is_form) return true;
  if (seen.name.ends_with(".keys")) return !seen.repeats;
  const auto others = [&](const Seen& other) { return other.value == seen.value && &other != &seen; };
  return std::ranges::none_of(seen_, others);
}

std::size_t WeaknessWatch::outputs() const {
  return static_cast<std::size_t>(std::ranges::count_if(seen_, [this](const Seen& seen) { return counts(seen); }));
}

std::vector<WeakOutput> WeaknessWatch::partly_nan() const {
  std::vector<WeakOutput> found;
  for (const Seen& seen : seen_)
    if (seen.nans > 0 && seen.nans < seen.elements)
      found.push_back({seen.name, fmt::format("NaN in {} of {} elements", seen.nans, seen.elements)});
  return found;
}

std::vector<WeakOutput> WeaknessWatch::weak() const {
  std::vector<WeakOutput> weak;
  for (const Seen& seen : seen_) {
    if (!counts(seen)) continue;
    if (seen.is_form && !seen.name.ends_with(".keys")) {
      weak.push_back({seen.value, samples_ > 1 ? "empty in all samples" : "empty"});
      continue;
    }
    if (std::string why = reason(seen); !why.empty()) weak.push_back({seen.name, std::move(why)});
  }
  return weak;
}

}  // namespace culprit
