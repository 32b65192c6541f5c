#include "tensor/imitate_rounding.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "tensor/half.h"

namespace culprit {
namespace {

// For one unit: an error is a third of a unit as a rule, and limits are 4 times as wide as what draws show.
constexpr int steps_of_a_walk = 8;
constexpr std::int64_t few = 8;  // elements
constexpr int left_over = 4, left_over_of_few = 12, left_over_of_halves = 3;
constexpr std::int64_t few_halves = 16;

/// The formats, as bits and as numbers.
struct Double {
  using Bits = std::uint64_t;
  static constexpr int mantissa = 52;
  static double number(Bits bits) { return std::bit_cast<double>(bits); }
  static Bits bits(double number) { return std::bit_cast<Bits>(number); }
};
struct Single {
  using Bits = std::uint32_t;
  static constexpr int mantissa = 23;
  static double number(Bits bits) { return static_cast<double>(std::bit_cast<float>(bits)); }
  static Bits bits(double number) { return std::bit_cast<Bits>(static_cast<float>(number)); }
};
struct Half {
  using Bits = std::uint16_t;
  static constexpr int mantissa = 10;
  static double number(Bits bits) { return static_cast<double>(half_to_float(bits)); }
  static Bits bits(double number) { return float_to_half(static_cast<float>(number)); }
};
struct BFloat {
  using Bits = std::uint16_t;
  static constexpr int mantissa = 7;
  static double number(Bits bits) { return static_cast<double>(bfloat16_to_float(bits)); }
  static Bits bits(double number) { return float_to_bfloat16(static_cast<float>(number)); }
};

/// Calls `work.operator()<Format>()`; false for a type that is none of these.
template <class Work>
bool with_format(DType type, const Work& work) {
  switch (type) {
    case DType::f64:
      return work.template operator()<Double>(), true;
    case DType::f32:
      return work.template operator()<Single>(), true;
    case DType::f16:
      return work.template operator()<Half>(), true;
    case DType::bf16:
      return work.template operator()<BFloat>(), true;
    default:
      return false;
  }
}

template <class Bits>
Bits read(std::span<const std::byte> bytes, std::size_t i) {
  Bits bits = 0;
  std::memcpy(&bits, bytes.data() + i * sizeof bits, sizeof bits);
  return bits;
}

template <class Bits>
void write(std::span<std::byte> bytes, std::size_t i, Bits bits) {
  std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
}

/// A fair bit for each element.
class Coins {
 public:
  explicit Coins(Random& random) : random_(random) {}
  bool toss() {
    if (left_ == 0) bits_ = random_.next(), left_ = 64;
    return ((bits_ >> (64 - left_--)) & 1) != 0;
  }

 private:
  Random& random_;
  std::uint64_t bits_ = 0;
  int left_ = 0;
};

/// Tells where the walks along a sum stand: one for each place beside the summed axes.
class Walks {
 public:
  Walks(const Shape& shape, const RoundingMoves& rounding, Random& random)
      : random_(random.next()), coins_(random_), shape_(shape) {
    const auto rank = static_cast<std::int64_t>(shape.size());
    is_summed_.resize(shape.size());
    std::int64_t terms = 1, others = 1;
    for (const std::int64_t axis : rounding.summed_axes) {
      const std::int64_t at = axis < 0 ? axis + rank : axis;
      if (at >= 0 && at < rank) is_summed_[static_cast<std::size_t>(at)] = true;
    }
    for (std::size_t axis = 0; axis < shape.size(); ++axis) (is_summed_[axis] ? terms : others) *= shape[axis];
    if (rounding.terms > 0) terms = std::min(terms, rounding.terms);
    furthest_ = static_cast<int>(std::sqrt(static_cast<double>(terms)));
    at_.resize(static_cast<std::size_t>(others));
    index_.resize(shape.size());
  }

  /// In units in the last place; of the elements in their order.
  int step() {
    int& at = at_[place_];
    at += coins_.toss() ? 1 : -1;
    at = std::clamp(at, -furthest_, furthest_);
    advance();
    return at / steps_of_a_walk;
  }

 private:
  void advance() {
    std::size_t stride = 1;
    for (std::size_t axis = shape_.size(); axis-- > 0;) {
      const bool wraps = ++index_[axis] == shape_[axis];
      if (wraps) index_[axis] = 0;
      if (!is_summed_[axis]) {
        const auto size = static_cast<std::size_t>(shape_[axis]);
        wraps ? place_ -= stride * (size - 1) : place_ += stride;
        stride *= size;
      }
      if (!wraps) return;
    }
  }

  Random random_;
  Coins coins_;
  const Shape& shape_;
  std::vector<bool> is_summed_;
  std::vector<std::int64_t> index_;
  std::vector<int> at_;
  std::size_t place_ = 0;
  int furthest_ = 0;
};

/// Works on the bits: in IEEE formats the next number away from zero is the next integer.
template <class Format>
void move_by_units(const Shape& shape, std::span<std::byte> bytes, Random& random, const RoundingMoves& rounding) {
  using Bits = typename Format::Bits;
  constexpr auto sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  constexpr auto infinity = static_cast<Bits>(static_cast<Bits>(~sign) >> Format::mantissa << Format::mantissa);
  const auto units = static_cast<std::int64_t>(rounding.ulps);
  std::optional<Walks> walks;
  if (!rounding.summed_axes.empty()) walks.emplace(shape, rounding, random);
  Coins coins(random);
  for (std::size_t i = 0; (i + 1) * sizeof(Bits) <= bytes.size(); ++i) {
    const std::int64_t step = (coins.toss() ? 1 : -1) + (walks ? walks->step() : 0);
    const auto bits = read<Bits>(bytes, i);
    const auto magnitude = static_cast<std::int64_t>(bits & static_cast<Bits>(~sign));
    if (magnitude == 0 || magnitude >= static_cast<std::int64_t>(infinity)) continue;
    const std::int64_t moved =
        std::clamp<std::int64_t>(magnitude + step * units, 1, static_cast<std::int64_t>(infinity) - 1);
    write(bytes, i, static_cast<Bits>((bits & sign) | static_cast<Bits>(moved)));
  }
}

bool is_power_of_two(std::int64_t n) { return n > 0 && (n & (n - 1)) == 0; }

/// Times eps x RMS that a transform to so many frequencies errs; of real numbers half of them are left out.
double of_transform(std::int64_t frequencies) {
  const bool is_fast = is_power_of_two(frequencies) || is_power_of_two(frequencies - 1);
  return is_fast ? 4 : static_cast<double>(frequencies);
}

/// By an amount that does not hang on the element alone.
template <class Format>
void move_by_numbers(const Shape& shape, std::span<std::byte> bytes, Random& random, const RoundingMoves& rounding) {
  using Bits = typename Format::Bits;
  const double eps = std::ldexp(1.0, -Format::mantissa);
  const std::size_t count = bytes.size() / sizeof(Bits);
  const std::size_t group =
      rounding.is_transform && shape.size() > 1 ? static_cast<std::size_t>(shape.back() * shape[shape.size() - 2]) : 1;
  const double size = rounding.is_transform && shape.size() > 1 ? of_transform(shape[shape.size() - 2]) : 0;
  Coins coins(random);
  for (std::size_t first = 0; first < count; first += group) {
    const std::size_t end = std::min(first + group, count);
    long double squares = 0;
    for (std::size_t i = first; i < end; ++i) {
      const double x = Format::number(read<Bits>(bytes, i));
      if (std::isfinite(x)) squares += static_cast<long double>(x) * static_cast<long double>(x);
    }
    const auto rms = static_cast<double>(std::sqrt(squares / static_cast<long double>(end - first)));
    for (std::size_t i = first; i < end; ++i) {
      const double way = coins.toss() ? 1 : -1, x = Format::number(read<Bits>(bytes, i));
      if (!std::isfinite(x)) continue;
      const double own = eps * std::abs(x);
      const double by =
          size > 0 ? std::max(own, size * eps * rms) : std::max(own, std::min(rounding.least * eps, std::abs(x) / 2));
      const double moved = x + way * by * rounding.ulps;
      const bool crosses = size == 0 && moved * x <= 0;
      if (std::isfinite(Format::number(Format::bits(moved)))) write(bytes, i, Format::bits(crosses ? x / 2 : moved));
    }
  }
}

/// The exponents of the lowest bit of all elements, and of the highest.
struct Grid {
  int lowest = 1 << 20, highest = -(1 << 20);
  std::int64_t elements = 0;

  template <class Format>
  void add(typename Format::Bits bits) {
    const double x = Format::number(bits);
    if (x == 0 || !std::isfinite(x)) return;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(x), &exponent);  // in [0.5, 1)
    const auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, Format::mantissa + 1));
    lowest = std::min(lowest, exponent - Format::mantissa - 1 + std::countr_zero(whole));
    highest = std::max(highest, exponent);
    ++elements;
  }
};

}  // namespace

bool is_on_a_grid(DType type, std::span<const std::byte> bytes) {
  bool is_on_one = false;
  with_format(type, [&]<class Format>() {
    using Bits = typename Format::Bits;
    constexpr bool is_half = sizeof(Bits) == 2;
    Grid grid;
    for (std::size_t i = 0; (i + 1) * sizeof(Bits) <= bytes.size(); ++i) {
      grid.add<Format>(read<Bits>(bytes, i));
      if (grid.elements > 0 && grid.highest - grid.lowest > Format::mantissa) return;
    }
    if (is_half && grid.elements > 0 && grid.elements < few_halves) return;
    const int over = is_half ? left_over_of_halves : grid.elements < few ? left_over_of_few : left_over;
    is_on_one = grid.elements == 0 || grid.highest - grid.lowest + over <= Format::mantissa + 1;
  });
  return is_on_one;
}

void imitate_rounding(DType type, const Shape& shape, std::span<std::byte> bytes, Random& random,
                      const RoundingMoves& rounding) {
  if (rounding.may_be_exact && is_on_a_grid(type, bytes)) return;
  with_format(type, [&]<class Format>() {
    const bool is_by_units = rounding.least == 0 && !rounding.is_transform;
    is_by_units ? move_by_units<Format>(shape, bytes, random, rounding)
                : move_by_numbers<Format>(shape, bytes, random, rounding);
  });
}

}  // namespace culprit
