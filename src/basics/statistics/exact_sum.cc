#include "statistics/exact_sum.h"

#include <bit>
#include <cmath>
#include <limits>

namespace culprit {
namespace {

constexpr std::uint64_t low_word = 0xffffffff;
constexpr std::int64_t most_pending = std::int64_t{1} << 30;
constexpr int lowest_exponent = -1075;

}  // namespace

void ExactSum::add(double value) {
  if (!std::isfinite(value)) {
    ++(std::isnan(value) ? nans_ : value > 0 ? plus_ : minus_);
    return;
  }
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto exponent = static_cast<unsigned>((bits >> 52) & 0x7ff);
  std::uint64_t digits = bits & ((std::uint64_t{1} << 52) - 1);
  if (exponent != 0) digits |= std::uint64_t{1} << 52;
  const unsigned place = exponent == 0 ? 1 : exponent;
  const unsigned word = place / 32, shift = place % 32;
  const std::uint64_t upper = digits >> (32 - shift);
  const std::int64_t sign = (bits >> 63) != 0 ? -1 : 1;
  words_[word] += sign * static_cast<std::int64_t>((digits << shift) & low_word);
  words_[word + 1] += sign * static_cast<std::int64_t>(upper & low_word);
  words_[word + 2] += sign * static_cast<std::int64_t>(upper >> 32);
  if (++pending_ >= most_pending) make_room();
}

/// All words but the last between 0 and 2^32; the last has the sign.
ExactSum::Words ExactSum::carried() const {
  Words out = words_;
  for (std::size_t i = 0; i + 1 < words; ++i) {
    const std::int64_t carry = out[i] >> 32;  // towards minus infinity
    out[i] -= carry * (std::int64_t{1} << 32);
    out[i + 1] += carry;
  }
  return out;
}

void ExactSum::make_room() {
  words_ = carried();
  pending_ = 1;
}

void ExactSum::merge(const ExactSum& other) {
  make_room();
  const Words added = other.carried();
  for (std::size_t i = 0; i < words; ++i) words_[i] += added[i];
  make_room();
  nans_ += other.nans_;
  plus_ += other.plus_;
  minus_ += other.minus_;
}

double ExactSum::value() const {
  if (nans_ > 0 || (plus_ > 0 && minus_ > 0)) return std::numeric_limits<double>::quiet_NaN();
  if (plus_ > 0 || minus_ > 0) return (plus_ > 0 ? 1 : -1) * std::numeric_limits<double>::infinity();
  ExactSum positive = *this;
  positive.make_room();
  const bool is_negative = positive.words_.back() < 0;
  if (is_negative) {
    for (std::int64_t& word : positive.words_) word = -word;
    positive.make_room();
  }
  const Words& all = positive.words_;
  std::size_t top = words;
  while (top > 0 && all[top - 1] == 0) --top;
  if (top == 0) return 0;
  const auto at = [&](std::size_t back) {  // words from the top, zeros below the end
    return top > back ? static_cast<std::uint64_t>(all[top - 1 - back]) : 0;
  };
  // The first 64 bits; whether anything is below them goes into the last of these, and the conversion rounds once.
  const int empty = std::countl_zero(static_cast<std::uint32_t>(at(0)));
  std::uint64_t digits = (at(0) << 32 | at(1)) << empty;
  digits |= (at(2) << empty) >> 32;
  bool is_more = ((at(2) << empty) & low_word) != 0;
  for (std::size_t back = 3; back < top; ++back) is_more = is_more || at(back) != 0;
  if (is_more) digits |= 1;
  const int exponent = 32 * (static_cast<int>(top) - 2) - empty + lowest_exponent;
  const double size = std::ldexp(static_cast<double>(digits), exponent);
  return is_negative ? -size : size;
}

void ExactSum::write(StateWriter& state) const {
  const Words all = carried();
  std::size_t first = 0, end = words;
  while (end > 0 && all[end - 1] == 0) --end;
  while (first < end && all[first] == 0) ++first;
  state.add(static_cast<std::uint32_t>(first)).add(static_cast<std::uint32_t>(end));
  for (std::size_t i = first; i < end; ++i) state.add(all[i]);
  state.add(nans_).add(plus_).add(minus_);
}

ExactSum ExactSum::read(StateReader& state) {
  ExactSum sum;
  const auto first = state.next<std::uint32_t>(), end = state.next<std::uint32_t>();
  for (std::size_t i = first; i < end && state.is_good(); ++i) {
    const auto word = state.next<std::int64_t>();
    const std::int64_t limit = i + 1 < words ? word >> 32 : word >> 40;  // 0: it could be written so
    if (i >= words || (limit != 0 && !(i + 1 == words && limit == -1)))
      state.refuse();
    else
      sum.words_[i] = word;
  }
  sum.nans_ = state.next<std::int64_t>();
  sum.plus_ = state.next<std::int64_t>();
  sum.minus_ = state.next<std::int64_t>();
  return sum;
}

}  // namespace culprit
