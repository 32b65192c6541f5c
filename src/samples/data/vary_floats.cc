#include "data/vary_floats.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace culprit {
namespace {

constexpr std::array<Variation, 9> all = {Variation::patches, Variation::below,   Variation::sparse,
                                          Variation::larger,  Variation::levels,  Variation::above,
                                          Variation::flat,    Variation::smaller, Variation::huge};

std::vector<Variation> helpful(Wish wish) {
  switch (wish) {
    case Wish::negative_border:
      return {Variation::below, Variation::above};
    case Wish::large:
    case Wish::large_border:
      return {Variation::larger};
    case Wish::ties:
      return {Variation::levels, Variation::flat, Variation::sparse};
    case Wish::extreme:
      return {Variation::huge, Variation::larger};
    case Wish::signed_zeros:
    case Wish::not_finite:
      return {Variation::sparse, Variation::larger, Variation::smaller};
    case Wish::fractions:
      return {Variation::smaller, Variation::larger};
    case Wish::limits:
      return {Variation::larger, Variation::smaller};
    case Wish::both_truths:
      return {Variation::below, Variation::above};
    case Wish::distinct:
      return {};
  }
  return {};
}

double rms_of(const std::vector<double>& numbers) {
  double sum = 0;
  for (const double x : numbers) sum += std::isfinite(x) ? x * x : 0;
  return numbers.empty() ? 0 : std::sqrt(sum / static_cast<double>(numbers.size()));
}

double varied(double x, Variation variation, double rms, Random& random) {
  switch (variation) {
    case Variation::larger:
      return 16 * x;
    case Variation::smaller:
      return x / 16;
    case Variation::above:
      return x + 2 * rms;
    case Variation::below:
      return x - 2 * rms;
    case Variation::sparse: {
      const auto which = random.between(0, 7);
      return which < 2 ? x : std::copysign(0.0, which % 2 == 0 ? 1.0 : -1.0);
    }
    case Variation::levels:
      return std::nearbyint(2 * x / rms) * rms / 2;
    case Variation::huge:
      return 256 * x;
    case Variation::patches:
    case Variation::flat:
    case Variation::planes:
      break;
  }
  return x;
}

/// Blocks along the last axis (or along the only one), in turns over the others, so that neighbours in space lie in
/// one.
void patch(std::vector<double>& numbers, const Shape& shape, double rms, Random& random) {
  constexpr std::array<Variation, 6> turns = {Variation::below,  Variation::patches, Variation::larger,
                                              Variation::sparse, Variation::above,   Variation::levels};
  const auto last = static_cast<std::size_t>(shape.empty() ? 1 : shape.back());
  const std::size_t rows = shape.size() > 1 ? static_cast<std::size_t>(shape[shape.size() - 2]) : 1;
  const auto block = [](std::size_t at, std::size_t size) { return 3 * at / std::max<std::size_t>(size, 1); };
  const auto shift = static_cast<std::size_t>(random.between(0, turns.size() - 1));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t across = block(i % last, last);
    const std::size_t down = shape.size() > 1 ? block(i / last % rows, rows) : 0;
    numbers[i] = varied(numbers[i], turns[(across + 3 * down + shift) % turns.size()], rms, random);
  }
}

/// Along the last `axes` axes.
void flatten(std::vector<double>& numbers, const Shape& shape, std::size_t axes) {
  std::size_t size = 1;
  for (std::size_t i = 0; i < std::min(axes, shape.size()); ++i)
    size *= static_cast<std::size_t>(shape[shape.size() - 1 - i]);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = numbers[i - i % std::max<std::size_t>(size, 1)];
}

double most_of(DType type) {
  if (type == DType::f16) return 32000;
  return bits_of(type) < 16 ? 200 : 1e30;
}

}  // namespace

std::vector<Variation> variations_for(const std::vector<Wish>& wishes) {
  std::vector<Variation> ordered = {Variation::patches};
  const auto add = [&](Variation variation) {
    if (std::ranges::find(ordered, variation) == ordered.end()) ordered.push_back(variation);
  };
  for (std::size_t rank = 0; rank < 3; ++rank) {  // the best for each wish, before the second best of any
    for (const Wish wish : wishes) {
      if (const auto some = helpful(wish); rank < some.size()) add(some[rank]);
    }
  }
  for (const Variation variation : all) add(variation);
  return ordered;
}

std::string words_for(Variation variation) {
  switch (variation) {
    case Variation::patches:
      return "patches of other sizes, signs and zeros";
    case Variation::larger:
      return "values x 16";
    case Variation::smaller:
      return "values x 1/16";
    case Variation::above:
      return "values shifted up";
    case Variation::below:
      return "values shifted down";
    case Variation::sparse:
      return "zeros of both signs";
    case Variation::levels:
      return "values of few levels";
    case Variation::flat:
      return "rows of one value";
    case Variation::huge:
      return "values x 256";
    case Variation::planes:
      return "planes of one value";
  }
  return "";
}

std::vector<NamedTensor> varied(std::vector<NamedTensor> sample, Variation variation,
                                const std::set<std::string>& fixed, Random& random) {
  for (NamedTensor& input : sample) {
    Tensor& tensor = input.value;
    if (!is_float(tensor.dtype()) || fixed.contains(input.name)) continue;
    std::vector<double> numbers(static_cast<std::size_t>(tensor.count()));
    for (std::int64_t i = 0; i < tensor.count(); ++i) numbers[static_cast<std::size_t>(i)] = tensor.number(i);
    const double found = rms_of(numbers);
    const double rms = found > 0 ? found : 1;
    if (variation == Variation::patches) {
      patch(numbers, tensor.shape(), rms, random);
    } else if (variation == Variation::flat) {
      flatten(numbers, tensor.shape(), 1);
    } else if (variation == Variation::planes) {
      flatten(numbers, tensor.shape(), tensor.shape().size() > 3 ? 2 : 1);
    } else {
      for (double& x : numbers) x = varied(x, variation, rms, random);
    }
    if (auto changed = cast(Tensor::of<double>(tensor.shape(), numbers), tensor.dtype())) tensor = std::move(*changed);
  }
  return sample;
}

std::vector<NamedTensor> scaled(std::vector<NamedTensor> sample, double factor, const std::set<std::string>& fixed) {
  for (NamedTensor& input : sample) {
    Tensor& tensor = input.value;
    if (!is_float(tensor.dtype()) || fixed.contains(input.name)) continue;
    const double most = most_of(tensor.dtype());
    std::vector<double> numbers(static_cast<std::size_t>(tensor.count()));
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      numbers[i] = std::clamp(factor * tensor.number(static_cast<std::int64_t>(i)), -most, most);
    }
    if (auto changed = cast(Tensor::of<double>(tensor.shape(), numbers), tensor.dtype())) tensor = std::move(*changed);
  }
  return sample;
}

}  // namespace culprit
