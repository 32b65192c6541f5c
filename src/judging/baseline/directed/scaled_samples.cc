#include "baseline/directed/scaled_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/text.h"
#include "data/vary_floats.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr std::size_t most_scaled = 4;
constexpr double least_apart = 4;      // factors closer than this are one
constexpr double overflows_exp = 200;  // of doubles, 710: what overflows a float32 is enough
constexpr double most_factor = 1e15;

double largest_in(const Tensor& tensor) {
  double largest = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double size = std::abs(tensor.number(i));
    if (std::isfinite(size)) largest = std::max(largest, size);
  }
  return largest;
}

/// Root of the mean square of what two runs differ by; nothing where the shapes do.
std::optional<double> apart(const Tensor& one, const Tensor& other) {
  if (one.shape() != other.shape() || one.count() == 0) return std::nullopt;
  double sum = 0;
  for (std::int64_t i = 0; i < one.count(); ++i) {
    const double difference = one.number(i) - other.number(i);
    if (std::isfinite(difference)) sum += difference * difference;
  }
  return std::sqrt(sum / static_cast<double>(one.count()));
}

class ScaleFactors {
 public:
  ScaleFactors(const Shown& plain, std::span<const Shown> others, const std::set<std::string>& fixed)
      : plain_(plain), others_(others), fixed_(fixed) {}

  /// By how much the plain inputs are to be multiplied.
  [[nodiscard]] std::optional<double> factor_for(const Want& want) const {
    const Tensor* value = find_value(plain_.values, want.value);
    if (value == nullptr || !is_float(value->dtype())) return std::nullopt;
    const double gain = gain_of(want.value, *value), size = size_of_inputs();
    if (!(gain > 0) || !(size > 0)) return std::nullopt;
    const double offset = largest_in(*value);
    const bool is_border = want.wish == Wish::negative_border;  // of planes, whose one value may be small
    const double wanted = is_border ? 16 * offset : std::max(overflows_exp, 4 * offset);
    const double factor = wanted / (gain * size);
    return std::isfinite(factor) && factor > 1 ? std::optional(std::min(factor, most_factor)) : std::nullopt;
  }

 private:
  [[nodiscard]] bool is_scaled(const NamedTensor& input) const {
    return is_float(input.value.dtype()) && !fixed_.contains(input.name);
  }

  /// How far the value moves for each unit that the inputs do; the least that was seen, for what saturates moves more
  /// at first.
  [[nodiscard]] double gain_of(const std::string& name, const Tensor& plain) const {
    double least = std::numeric_limits<double>::infinity();
    for (const Shown& other : others_) {
      const Tensor* value = find_value(other.values, name);
      const double moved = value == nullptr ? 0 : apart(plain, *value).value_or(0);
      const double by = inputs_apart(other);
      if (moved > 0 && by > 0) least = std::min(least, moved / by);
    }
    return std::isfinite(least) ? least : 0;
  }

  [[nodiscard]] double inputs_apart(const Shown& other) const {
    double most = 0;
    for (const NamedTensor& input : plain_.inputs) {
      const Tensor* its = is_scaled(input) ? find_value(other.inputs, input.name) : nullptr;
      if (its != nullptr) most = std::max(most, apart(input.value, *its).value_or(0));
    }
    return most;
  }

  [[nodiscard]] double size_of_inputs() const {
    double most = 0;
    for (const NamedTensor& input : plain_.inputs) {
      if (!is_scaled(input) || input.value.count() == 0) continue;
      double sum = 0;
      for (std::int64_t i = 0; i < input.value.count(); ++i) sum += input.value.number(i) * input.value.number(i);
      most = std::max(most, std::sqrt(sum / static_cast<double>(input.value.count())));
    }
    return most;
  }

  const Shown& plain_;
  std::span<const Shown> others_;
  const std::set<std::string>& fixed_;
};

}  // namespace

Shown read_shown(const std::filesystem::path& sample, const std::filesystem::path& output) {
  auto inputs = read_pack(sample), values = read_pack(output);
  return inputs && values ? Shown{std::move(*inputs), std::move(*values)} : Shown{};
}

std::vector<Candidate> scaled_candidates(std::span<const Want> wants, const Shown& plain, std::span<const Shown> others,
                                         const std::vector<NamedTensor>& base, const std::set<std::string>& fixed) {
  const ScaleFactors scale(plain, others, fixed);
  Random random(0);  // planes need none
  std::vector<Candidate> candidates;
  std::vector<double> factors;
  for (const Want& want : wants) {
    const auto factor = scale.factor_for(want);
    if (!factor || candidates.size() + 2 > most_scaled) continue;
    const auto is_near = [&](double known) { return std::abs(std::log(known / *factor)) < std::log(least_apart); };
    if (std::ranges::any_of(factors, is_near)) continue;
    factors.push_back(*factor);
    const bool is_border = want.wish == Wish::negative_border;
    const auto add = [&](const std::vector<NamedTensor>& from, double by) {
      const std::string what = is_border ? words_for(Variation::planes) : "values";
      candidates.push_back({scaled(from, by, fixed),
                            {fmt::format("{} x {:.3g} ({})", what, by, printable(want.pass, 60))},
                            want.wish == Wish::extreme});
    };
    if (!is_border) {
      add(base, *factor);
      continue;
    }
    const auto planes = varied(base, Variation::planes, fixed, random);
    add(planes, *factor);
    add(planes, -*factor);
  }
  return candidates;
}

}  // namespace culprit
