#include "picture/convolve.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

// Compiled twice, and the loader takes what the processor can: without AVX2 there is no fast product of 32-bit
// integers. The results are the same, for each element has its own sum.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(CULPRIT_SANITIZED)
#define CULPRIT_ALSO_AVX2 __attribute__((target_clones("avx2", "default")))
#else
#define CULPRIT_ALSO_AVX2
#endif
#define CULPRIT_INLINE inline __attribute__((always_inline))

namespace culprit {
namespace {

constexpr int weight_bits = 22;         // Pillow's PRECISION_BITS: 32 - 8 - 2
constexpr std::size_t group = 8;        // rows that are worked on together
constexpr std::size_t strip = 512;      // elements of a row whose sums stay in the nearest cache
constexpr std::size_t most_lanes = 24;  // three channels of a group

struct FixedPoint {
  using Number = std::int32_t;
  using Middle = std::uint8_t;
  static constexpr Number start = 1 << (weight_bits - 1);
  static Number weight(double value) {
    constexpr double one = 1 << weight_bits;
    return static_cast<Number>(value < 0 ? value * one - 0.5 : value * one + 0.5);
  }
  static CULPRIT_INLINE Middle finish(Number sum) {
    return static_cast<Middle>(std::clamp(sum >> weight_bits, 0, 255));
  }
};

struct Real {
  using Number = float;
  using Middle = float;
  static constexpr Number start = 0;
  static Number weight(double value) { return static_cast<float>(value); }
  static CULPRIT_INLINE Middle finish(Number sum) { return sum; }
};

template <class A>
std::vector<typename A::Number> numbers_of(const AxisWeights& axis) {
  std::vector<typename A::Number> numbers(axis.weights.size());
  std::ranges::transform(axis.weights, numbers.begin(), A::weight);
  return numbers;
}

/// Swaps the bits under `mask` of `b` with those `shift` higher of `a`.
CULPRIT_INLINE void swap_parts(std::uint64_t& a, std::uint64_t& b, unsigned shift, std::uint64_t mask) {
  const std::uint64_t difference = ((a >> shift) ^ b) & mask;
  a ^= difference << shift;
  b ^= difference;
}

/// Eight bytes of each of eight rows, so that the eight of a column lie together.
CULPRIT_INLINE void transpose_8x8(std::array<std::uint64_t, 8>& rows) {
  for (std::size_t i = 0; i < 4; ++i) swap_parts(rows[i], rows[i + 4], 32, 0x00000000FFFFFFFF);
  for (const std::size_t i : {0, 1, 4, 5}) swap_parts(rows[i], rows[i + 2], 16, 0x0000FFFF0000FFFF);
  for (std::size_t i = 0; i < 8; i += 2) swap_parts(rows[i], rows[i + 1], 8, 0x00FF00FF00FF00FF);
}

/// Row after row becomes column after column: to[element * 8 + row].
CULPRIT_INLINE void interleave_rows(const std::array<const std::uint8_t*, group>& rows, std::size_t length,
                                    std::uint8_t* to) {
  std::size_t i = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; i + 8 <= length; i += 8) {
      std::array<std::uint64_t, 8> block;
      for (std::size_t r = 0; r < group; ++r) std::memcpy(&block[r], rows[r] + i, 8);
      transpose_8x8(block);
      std::memcpy(to + i * group, block.data(), sizeof(block));
    }
  }
  for (; i < length; ++i)
    for (std::size_t r = 0; r < group; ++r) to[i * group + r] = rows[r][i];
}

/// One pixel of the result for all rows and channels of a group: `lanes` sums.
template <class A, std::size_t lanes>
CULPRIT_INLINE void sum_pixels(const std::uint8_t* from, const typename A::Number* weights, int count,
                               typename A::Middle* to) {
  std::array<typename A::Number, lanes> sums;
  for (auto& sum : sums) sum = A::start;
  for (int k = 0; k < count; ++k, from += lanes) {
    const typename A::Number weight = weights[k];
    for (std::size_t i = 0; i < lanes; ++i) sums[i] += static_cast<typename A::Number>(from[i]) * weight;
  }
  for (std::size_t i = 0; i < lanes; ++i) to[i] = A::finish(sums[i]);
}

template <class A, std::size_t lanes>
CULPRIT_INLINE void sum_along_rows(const PixelView& pixels, const AxisWeights& axis, const typename A::Number* weights,
                                   Pixels<typename A::Middle>& result) {
  constexpr std::size_t channels = lanes / group;
  const std::size_t length = static_cast<std::size_t>(pixels.width) * channels;
  std::vector<std::uint8_t> together(length * group);
  const auto height = static_cast<std::size_t>(pixels.height);
  for (std::size_t y = 0; y < height; y += group) {
    std::array<const std::uint8_t*, group> rows;
    for (std::size_t r = 0; r < group; ++r) rows[r] = pixels.values.data() + std::min(y + r, height - 1) * length;
    interleave_rows(rows, length, together.data());
    const std::size_t used = std::min(group, height - y);
    for (std::size_t x = 0; x < axis.reaches.size(); ++x) {
      const auto& reach = axis.reaches[x];
      std::array<typename A::Middle, most_lanes> sums;
      sum_pixels<A, lanes>(together.data() + static_cast<std::size_t>(reach.first) * lanes, weights + reach.weights,
                           reach.count, sums.data());
      for (std::size_t r = 0; r < used; ++r) {
        auto* to = result.values.data() + (y + r) * result.row_length() + x * channels;
        for (std::size_t c = 0; c < channels; ++c) to[c] = sums[c * group + r];
      }
    }
  }
}

/// `rows` begins with the first row that counts.
template <class A, class In>
CULPRIT_INLINE void sum_rows(const In* rows, std::size_t length, const typename A::Number* weights, int count,
                             typename A::Middle* to) {
  for (std::size_t begin = 0; begin < length; begin += strip) {
    const std::size_t width = std::min(strip, length - begin);
    std::array<typename A::Number, strip> sums;
    for (std::size_t i = 0; i < width; ++i) sums[i] = A::start;
    for (int k = 0; k < count; ++k) {
      const In* row = rows + static_cast<std::size_t>(k) * length + begin;
      const typename A::Number weight = weights[k];
      for (std::size_t i = 0; i < width; ++i) sums[i] += static_cast<typename A::Number>(row[i]) * weight;
    }
    for (std::size_t i = 0; i < width; ++i) to[begin + i] = A::finish(sums[i]);
  }
}

// The attribute is not for templates.
CULPRIT_ALSO_AVX2 void along_rows(const PixelView& pixels, const AxisWeights& axis, const std::int32_t* weights,
                                  Pixels<std::uint8_t>& result) {
  if (pixels.channels == 3) return sum_along_rows<FixedPoint, 24>(pixels, axis, weights, result);
  sum_along_rows<FixedPoint, 8>(pixels, axis, weights, result);
}
CULPRIT_ALSO_AVX2 void along_rows(const PixelView& pixels, const AxisWeights& axis, const float* weights,
                                  Pixels<float>& result) {
  if (pixels.channels == 3) return sum_along_rows<Real, 24>(pixels, axis, weights, result);
  sum_along_rows<Real, 8>(pixels, axis, weights, result);
}
CULPRIT_ALSO_AVX2 void add_rows(const std::uint8_t* rows, std::size_t length, const std::int32_t* weights, int count,
                                std::uint8_t* to) {
  sum_rows<FixedPoint>(rows, length, weights, count, to);
}
CULPRIT_ALSO_AVX2 void add_rows(const std::uint8_t* rows, std::size_t length, const float* weights, int count,
                                float* to) {
  sum_rows<Real>(rows, length, weights, count, to);
}
CULPRIT_ALSO_AVX2 void add_rows(const float* rows, std::size_t length, const float* weights, int count, float* to) {
  sum_rows<Real>(rows, length, weights, count, to);
}

template <class A, class In>
Pixels<typename A::Middle> along_columns(const In* values, std::size_t length, int width, int channels,
                                         const AxisWeights& axis) {
  Pixels<typename A::Middle> result{width, static_cast<int>(axis.reaches.size()), channels, {}};
  result.values.resize(length * axis.reaches.size());
  const auto weights = numbers_of<A>(axis);
  for (std::size_t y = 0; y < axis.reaches.size(); ++y) {
    const auto& reach = axis.reaches[y];
    add_rows(values + static_cast<std::size_t>(reach.first) * length, length, weights.data() + reach.weights,
             reach.count, result.values.data() + y * length);
  }
  return result;
}

template <class A>
Pixels<typename A::Middle> convolve(const PixelView& pixels, const AxisWeights* rows, const AxisWeights* columns) {
  if (rows == nullptr) {
    const std::size_t length = static_cast<std::size_t>(pixels.width) * pixels.channels;
    if (columns != nullptr)
      return along_columns<A>(pixels.values.data(), length, pixels.width, pixels.channels, *columns);
    return {pixels.width, pixels.height, pixels.channels, {pixels.values.begin(), pixels.values.end()}};
  }
  Pixels<typename A::Middle> middle{static_cast<int>(rows->reaches.size()), pixels.height, pixels.channels, {}};
  middle.values.resize(middle.row_length() * static_cast<std::size_t>(pixels.height));
  along_rows(pixels, *rows, numbers_of<A>(*rows).data(), middle);
  if (columns == nullptr) return middle;
  return along_columns<A>(middle.values.data(), middle.row_length(), middle.width, middle.channels, *columns);
}

}  // namespace

Pixels<std::uint8_t> convolve_bytes(const PixelView& pixels, const AxisWeights* rows, const AxisWeights* columns,
                                    bool columns_first) {
  if (!columns_first || rows == nullptr || columns == nullptr) return convolve<FixedPoint>(pixels, rows, columns);
  return convolve<FixedPoint>(convolve<FixedPoint>(pixels, nullptr, columns), rows, nullptr);
}

Pixels<float> convolve_floats(const PixelView& pixels, const AxisWeights* rows, const AxisWeights* columns) {
  return convolve<Real>(pixels, rows, columns);
}

}  // namespace culprit
