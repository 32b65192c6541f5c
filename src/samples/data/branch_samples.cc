#include "data/branch_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/random.h"
#include "base/text.h"
#include "data/size_guesses.h"

namespace culprit {
namespace {

using Doubles = std::vector<double>;

// --- what may be replaced -----------------------------------------------------------------------------------------

bool is_float_or_integer(DType type) { return is_float(type) || is_integer(type); }

bool is_single(const ValueInfo& input) {
  return std::ranges::all_of(input.dims, [](const Dim& dim) { return dim.value == 1; });
}

bool has_sign(DType type) {
  return type == DType::i8 || type == DType::i16 || type == DType::i32 || type == DType::i64;
}

struct Bounds {
  double low, high;
};

bool is_index(const Rule& rule) { return rule.way == Rule::Way::uniform && rule.is_index; }

/// The bounds of indices are those of their table; of what no rule binds, or one that names what it is compared with,
/// those of the type. Nothing where another rule says all.
std::optional<Bounds> range_of(const ValueInfo& input, const SynthesisPlan& plan) {
  if (input.kind != ValueInfo::Kind::tensor || !is_float_or_integer(input.dtype) || plan.values.contains(input.name))
    return std::nullopt;
  if (const auto rule = plan.rules.find(input.name); rule != plan.rules.end()) {
    if (is_index(rule->second)) return Bounds{rule->second.low, highest(rule->second, plan.dims)};
    if (rule->second.way != Rule::Way::one_of) return std::nullopt;
  }
  if (is_float(input.dtype)) {
    const double most = bits_of(input.dtype) < 16 ? 200 : input.dtype == DType::f16 ? 60000 : 1e30;
    return Bounds{-most, most};
  }
  constexpr std::size_t widest = 53;  // what a double holds
  const auto bits = std::min(bits_of(input.dtype), widest);
  const auto half = static_cast<double>(std::uint64_t{1} << (bits - 1));
  return has_sign(input.dtype) ? Bounds{-half, half - 1} : Bounds{0, 2 * half - 1};
}

/// Above all of them, at each, below all, and between; those within the range.
Doubles finite_sides(const ComparedNumbers& compared, bool is_float, const Bounds& range) {
  const Doubles& numbers = compared.numbers;
  if (numbers.empty()) return {};
  const auto beside = [&](double number) { return is_float ? std::max(1.0, std::abs(number) / 8) : 1.0; };
  Doubles sides = {numbers.back() + beside(numbers.back())};
  const Doubles& met = is_float ? compared.exact : numbers;
  sides.insert(sides.end(), met.begin(), met.end());
  sides.push_back(numbers.front() - beside(numbers.front()));
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const double middle = numbers[i - 1] + (numbers[i] - numbers[i - 1]) / 2;
    sides.push_back(is_float ? middle : std::floor(middle));
  }
  std::erase_if(sides, [&](double side) { return side < range.low || side > range.high; });
  return sides;
}

/// The finite sides, and what is not finite where the graph looks for that.
Doubles sides_of(const ComparedNumbers& compared, bool is_float, const Bounds& range) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Doubles sides = finite_sides(compared, is_float, range);
  if (is_float && compared.asks_nan) sides.push_back(std::numeric_limits<double>::quiet_NaN());
  if (is_float && compared.asks_infinite) sides.insert(sides.end(), {infinity, -infinity});
  return sides;
}

/// Indices below zero are tried where two models are held against each other: they count from the end of the table.
bool counts_from_the_end(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  const auto rule = plan.rules.find(input.name);
  return reach.is_of_two && has_sign(input.dtype) && rule != plan.rules.end() && rule->second.is_index &&
         !plan.values.contains(input.name);
}

/// What the graph compares this input with, as far as it may take such numbers.
Doubles sides_for(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  const auto found = reach.compared.inputs.find(input.name);
  auto range = range_of(input, plan);
  if (found == reach.compared.inputs.end() || !range) return {};
  if (counts_from_the_end(input, plan, reach)) range->low -= range->high + 1;
  return sides_of(found->second, is_float(input.dtype), *range);
}

bool takes_words(const ValueInfo& input, const Reach& reach) {
  return input.kind == ValueInfo::Kind::tensor && input.dtype == DType::string &&
         reach.compared.words.contains(input.name);
}

bool takes_wide(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  return is_integer(input.dtype) && !plan.rules.contains(input.name) && range_of(input, plan).has_value() &&
         reach.plain.contains(input.name) && !reach.compared.inputs.contains(input.name);
}

/// Rows that the input may look up.
std::vector<std::int64_t> rows_for(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  const auto found = reach.rows.find(input.name);
  const auto range = range_of(input, plan);
  if (found == reach.rows.end() || !range) return {};
  std::vector<std::int64_t> rows = found->second;
  std::erase_if(rows, [&](std::int64_t row) {
    return static_cast<double>(row) < range->low || static_cast<double>(row) > range->high;
  });
  return rows;
}

/// Should its indices be below zero, and repeat? They should where a node that only one of two models has looks them
/// up.
bool takes_signs(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  return counts_from_the_end(input, plan, reach) && reach.compared.indices.contains(input.name);
}

// --- how many, and what is said of them ---------------------------------------------------------------------------

struct Asked {
  std::size_t count = 0;  ///< further samples
  std::string what;
};

Asked asked_by(const ValueInfo& input, const SynthesisPlan& plan, const Reach& reach) {
  const std::string name = " in '" + printable(input.name, 60) + "'";
  if (const Doubles sides = sides_for(input, plan, reach); !sides.empty()) {
    const ComparedNumbers& compared = reach.compared.inputs.at(input.name);
    std::vector<std::string> shown;
    for (const double number : compared.numbers) shown.push_back(fmt::format("{}", number));
    if (compared.asks_nan) shown.emplace_back("NaN");
    if (compared.asks_infinite) shown.emplace_back("infinity");
    const bool is_turned = is_single(input) || compared.is_reduced;
    return {is_turned ? sides.size() : 1, "numbers around " + printable(join(shown, ", "), 60) + name};
  }
  if (const auto rows = rows_for(input, plan, reach); !rows.empty()) {
    std::vector<std::string> shown;
    shown.reserve(rows.size());
    for (const std::int64_t row : rows) shown.push_back(std::to_string(row));
    // For two models every second sample has other rows beside, so there are at least two.
    const std::size_t least = reach.is_of_two ? 2 : 1, most = reach.is_of_two ? most_further_of_two : 2;
    const std::size_t count = is_single(input) ? rows.size() : std::clamp(rows.size(), least, most);
    return {count, "rows that stand out (" + printable(join(shown, ", "), 60) + ")" + name};
  }
  if (takes_signs(input, plan, reach)) return {2, "indices below zero and equal ones" + name};
  if (takes_words(input, reach)) {
    const auto& words = reach.compared.words.at(input.name);
    return {is_single(input) ? words.size() : 1, "words that the model knows" + name};
  }
  if (takes_wide(input, plan, reach))
    return {is_single(input) ? std::size_t{2} : 1, "integers below zero and large ones" + name};
  return {};
}

/// Two flags have four combinations, and of three each pair has them in six samples (data/random_values.cc).
std::size_t asked_by_flags(const SynthesisPlan& plan, std::size_t count) {
  const auto flags =
      std::ranges::count_if(plan.rules, [](const auto& rule) { return rule.second.way == Rule::Way::either; });
  const std::size_t needed = flags < 2 ? 0 : flags == 2 ? 4 : 6;
  return needed - std::min(needed, count);
}

/// 0: below the first, 1: the first itself, 2: behind it ...
std::size_t side_of(std::int64_t size, const std::vector<std::int64_t>& compared) {
  std::size_t side = 0;
  for (const std::int64_t number : compared) side += size > number ? 2 : size == number ? 1 : 0;
  return side;
}

/// Sizes on the sides on which none of `known` lies, the largest first.
std::vector<std::int64_t> crossing(const std::vector<std::int64_t>& compared, const std::set<std::int64_t>& known) {
  std::set<std::size_t> seen;
  for (const std::int64_t size : known) seen.insert(side_of(size, compared));
  std::vector<std::int64_t> sizes;
  for (auto number = compared.rbegin(); number != compared.rend(); ++number) {
    for (const std::int64_t size : {*number + 1, *number, *number - 1}) {
      if (size >= 1 && seen.insert(side_of(size, compared)).second) sizes.push_back(size);
    }
  }
  return sizes;
}

/// Batches are 1 and 2 anyhow; where two models are held against each other, one of more is tried as well.
std::map<std::string, std::vector<std::int64_t>> compared_sizes(const Interface& interface, const Reach& reach) {
  constexpr std::int64_t two = 2;
  auto sizes = reach.compared.sizes;
  for (const ValueInfo& input : interface.inputs) {
    for (std::size_t axis = 0; reach.is_of_two && axis < input.dims.size(); ++axis) {
      if (is_open(input.dims[axis]) && kind_of(input, axis) == DimKind::batch)
        sizes.try_emplace(dim_key(input, axis), std::vector{two});
    }
  }
  return sizes;
}

std::map<std::string, std::vector<std::int64_t>> crossings(const Interface& interface, const SynthesisPlan& plan,
                                                           const std::optional<Sizes>& other, const Reach& reach,
                                                           const Sizes& given) {
  std::map<std::string, std::vector<std::int64_t>> found;
  for (const auto& [name, compared] : compared_sizes(interface, reach)) {
    if (given.contains(name) || !plan.dims.contains(name) || is_formula(name)) continue;
    std::set<std::int64_t> known = {plan.dims.at(name)};
    if (other) known.insert(other->at(name));
    if (auto sizes = crossing(compared, known); !sizes.empty()) found.emplace(name, std::move(sizes));
  }
  return found;
}

/// The last open size of such an input, by name, so that it has 32 elements or more. Where two models are held against
/// each other, an input of a few elements has no place for all that it is asked for.
Sizes longer_sizes(const Interface& interface, const SynthesisPlan& plan, const Reach& reach, const Sizes& given) {
  constexpr std::int64_t enough = 32;
  Sizes longer;
  for (const ValueInfo& input : interface.inputs) {
    if (!reach.is_of_two || asked_by(input, plan, reach).count == 0) continue;
    std::int64_t count = 1, size = 0;
    std::string last;
    for (std::size_t axis = 0; axis < input.dims.size(); ++axis) {
      const std::string name = is_open(input.dims[axis]) ? dim_key(input, axis) : "";
      const auto its = name.empty() ? plan.dims.end() : plan.dims.find(name);
      const std::int64_t length = its == plan.dims.end() ? input.dims[axis].value.value_or(1) : its->second;
      count = std::min(count * std::clamp<std::int64_t>(length, 1, enough), enough);
      if (its == plan.dims.end() || given.contains(name) || is_formula(name)) continue;
      last = name;
      size = std::max<std::int64_t>(length, 1);
    }
    if (count < enough && !last.empty()) longer[last] = std::max(longer[last], (enough + count - 1) / count * size);
  }
  return longer;
}

// --- values -------------------------------------------------------------------------------------------------------

void put(Tensor& tensor, const Doubles& numbers) {
  if (auto made = cast(Tensor::of<double>(tensor.shape(), numbers), tensor.dtype())) tensor = std::move(*made);
}

Doubles numbers_in(const Tensor& tensor) {
  Doubles numbers(static_cast<std::size_t>(tensor.count()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = tensor.number(static_cast<std::int64_t>(i));
  return numbers;
}

template <class T>
const T& any_of(const std::vector<T>& all, Random& random) {
  return all[static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(all.size()) - 1))];
}

/// All on one side in turn where there is one element, or where the largest or the mean is asked for; else half of them
/// are replaced, by each side as often.
void put_sides(Tensor& tensor, const Doubles& sides, bool is_turned, std::size_t which, Random& random) {
  Doubles numbers = numbers_in(tensor);
  auto next = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(sides.size()) - 1));
  for (double& number : numbers) {
    if (is_turned) {
      number = sides[which % sides.size()];
    } else if (random.between(0, 1) == 1) {
      number = sides[next++ % sides.size()];
    }
  }
  put(tensor, numbers);
}

/// The ends of the last axis look up one row in turn, for borders meet what stands there; half of the rest any of them.
/// `is_sparse`: where there are few places, other rows have to stand beside them.
void put_rows(Tensor& tensor, const std::vector<std::int64_t>& rows, std::size_t which, bool is_sparse,
              Random& random) {
  constexpr std::int64_t widest_border = 3;  // elements, as for what is wished along a border (data/wished_values.cc)
  constexpr std::int64_t many = 16;
  Doubles numbers = numbers_in(tensor);
  const std::int64_t length = tensor.shape().empty() ? 1 : tensor.shape().back();
  const bool leaves_others = is_sparse && length < many;
  const std::int64_t border = leaves_others ? std::max<std::int64_t>(length / 4, 1) : widest_border;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const std::int64_t at = i % length;
    double& number = numbers[static_cast<std::size_t>(i)];
    if (at < border || at >= length - border)
      number = static_cast<double>(rows[which % rows.size()]);
    else if (!leaves_others && random.between(0, 1) == 1)
      number = static_cast<double>(any_of(rows, random));
  }
  put(tensor, numbers);
}

/// In turn: every second element as the first one, or counted from the end of the table of `rows` rows.
void put_signs(Tensor& tensor, double rows, std::size_t which) {
  Doubles numbers = numbers_in(tensor);
  const bool is_signed = which % 2 == 1;
  for (std::size_t i = numbers.size() > 1 ? 1 : 0; i < numbers.size(); i += 2)
    numbers[i] = is_signed ? numbers[i] - rows : numbers.front();
  put(tensor, numbers);
}

void put_words(Tensor& tensor, const std::vector<std::string>& known, bool is_turned, std::size_t which,
               Random& random) {
  std::vector<std::string> words(tensor.strings().begin(), tensor.strings().end());
  auto next = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(known.size()) - 1));
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (is_turned)
      words[i] = known[which % known.size()];
    else if ((i + which) % 2 == 0)
      words[i] = known[next++ % known.size()];
  }
  if (auto made = Tensor::from_strings(tensor.shape(), std::move(words))) tensor = std::move(*made);
}

/// Puts numbers of all sizes up to 16 bits, of both signs where the type has them.
void put_wide(Tensor& tensor, const Bounds& range, bool is_turned, std::size_t which, Random& random) {
  constexpr std::int64_t widest = 15;
  Doubles numbers = numbers_in(tensor);
  for (double& number : numbers) {
    const auto power = std::int64_t{1} << random.between(is_turned ? 10 : 0, widest);
    const auto size = static_cast<double>(power + random.between(0, power - 1));
    const bool is_negative = is_turned ? which % 2 == 0 : random.between(0, 1) == 1;
    number = std::clamp(is_negative ? -size : size, range.low, range.high);
  }
  put(tensor, numbers);
}

}  // namespace

std::vector<Further> further_samples(const Interface& interface, const SynthesisPlan& plan,
                                     const std::optional<Sizes>& other, const Reach& reach, const Sizes& given,
                                     std::size_t count) {
  const auto sizes = crossings(interface, plan, other, reach, given);
  const Sizes longer = longer_sizes(interface, plan, reach, given);
  std::vector<Asked> asked;
  for (const ValueInfo& input : interface.inputs) asked.push_back(asked_by(input, plan, reach));
  asked.push_back({asked_by_flags(plan, count), "flags in other combinations"});
  std::size_t needed = longer.empty() ? 0 : 2;
  for (const Asked& one : asked) needed = std::max(needed, one.count);
  for (const auto& [name, its] : sizes) needed = std::max(needed, its.size());
  std::vector<Further> further(std::min(needed, reach.is_of_two ? most_further_of_two : most_further));
  for (std::size_t which = 0; which < further.size(); ++which) {
    Sizes changes = which % 2 == 1 ? longer : Sizes{};
    for (const auto& [name, its] : sizes) {
      const bool is_asked = reach.compared.sizes.contains(name);  // a batch of three is only tried
      if (is_asked || !changes.contains(name)) changes[name] = its[which % its.size()];
    }
    for (const auto& [name, size] : changes) further[which].what.push_back(fmt::format("{}={}", name, size));
    for (const Asked& one : asked) {
      if (one.count > 0) further[which].what.push_back(one.what);
    }
    further[which].dims = changes.empty() ? plan.dims : resized(interface.inputs, plan.dims, changes);
  }
  return further;
}

void reach_out(Sample& sample, const Interface& interface, const SynthesisPlan& plan, const Reach& reach,
               std::size_t which, std::uint64_t seed) {
  for (const ValueInfo& input : interface.inputs) {
    const auto fed = std::ranges::find(sample.inputs, input.name, &NamedTensor::name);
    if (fed == sample.inputs.end()) continue;
    Random random(seed, input.name + "#further " + std::to_string(which));
    if (const Doubles sides = sides_for(input, plan, reach); !sides.empty()) {
      put_sides(fed->value, sides, is_single(input) || reach.compared.inputs.at(input.name).is_reduced, which, random);
    } else if (const auto rows = rows_for(input, plan, reach); !rows.empty()) {
      put_rows(fed->value, rows, which, reach.is_of_two && which % 2 == 1, random);
    } else if (takes_signs(input, plan, reach)) {
      put_signs(fed->value, highest(plan.rules.at(input.name), plan.dims) + 1, which);
    } else if (takes_words(input, reach)) {
      put_words(fed->value, reach.compared.words.at(input.name), is_single(input), which, random);
    } else if (takes_wide(input, plan, reach)) {
      put_wide(fed->value, *range_of(input, plan), is_single(input), which, random);
    }
  }
}

}  // namespace culprit
