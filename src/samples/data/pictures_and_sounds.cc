#include "data/pictures_and_sounds.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace culprit {
namespace {

constexpr std::int64_t smallest_side = 16;
constexpr std::int64_t coarse = 4, fine = 16;  // cells along a side

bool is_channels(std::int64_t size) { return size == 1 || size == 3 || size == 4; }
bool is_side(std::int64_t size) { return size >= smallest_side; }

/// Random numbers at the corners of cells, bilinear between them.
class SmoothField {
 public:
  SmoothField(std::int64_t cells, std::int64_t height, std::int64_t width, Random& random)
      : cells_(cells), height_(height), width_(width) {
    corners_.resize(static_cast<std::size_t>((cells + 1) * (cells + 1)));
    for (double& corner : corners_) corner = random.normal();
  }

  /// 1.5: what lies between corners varies less than the corners do, by 2/3 along each axis.
  [[nodiscard]] double at(std::int64_t y, std::int64_t x) const {
    const std::int64_t row = y * cells_ / height_, column = x * cells_ / width_;
    const double down = static_cast<double>(y * cells_ % height_) / static_cast<double>(height_);
    const double right = static_cast<double>(x * cells_ % width_) / static_cast<double>(width_);
    const double above = corner(row, column) * (1 - right) + corner(row, column + 1) * right;
    const double below = corner(row + 1, column) * (1 - right) + corner(row + 1, column + 1) * right;
    return 1.5 * (above * (1 - down) + below * down);
  }

 private:
  [[nodiscard]] double corner(std::int64_t row, std::int64_t column) const {
    return corners_[static_cast<std::size_t>(row * (cells_ + 1) + column)];
  }
  std::int64_t cells_, height_, width_;
  std::vector<double> corners_;
};

struct Tone {
  double turns_per_sample, phase, loudness;
};

}  // namespace

std::optional<PictureLayout> picture_layout(const Shape& shape) {
  if (shape.size() != 3 && shape.size() != 4) return std::nullopt;
  const std::int64_t pictures = shape.size() == 4 ? shape[0] : 1;
  const auto at = [&](std::size_t axis) { return shape[shape.size() - 3 + axis]; };
  if (is_channels(at(0)) && is_side(at(1)) && is_side(at(2)))
    return PictureLayout{pictures, at(0), at(1), at(2), false};
  if (is_channels(at(2)) && is_side(at(0)) && is_side(at(1))) return PictureLayout{pictures, at(2), at(0), at(1), true};
  return std::nullopt;
}

std::vector<float> draw_pictures(const PictureLayout& layout, Random& random, const Stop& stop) {
  const auto [pictures, channels, height, width, channels_last] = layout;
  std::vector<float> values(static_cast<std::size_t>(pictures * channels * height * width));
  for (std::int64_t n = 0; n < pictures; ++n) {
    const SmoothField areas(coarse, height, width, random), details(fine, height, width, random);
    for (std::int64_t c = 0; c < channels; ++c) {
      const SmoothField tint(coarse, height, width, random);
      for (std::int64_t y = 0; y < height; ++y) {
        if (y % 16 == 0 && is_stopped(stop)) return values;
        for (std::int64_t x = 0; x < width; ++x) {
          const std::int64_t within = channels_last ? (y * width + x) * channels + c : (c * height + y) * width + x;
          const double smooth = 0.8 * areas.at(y, x) + 0.4 * details.at(y, x) + 0.3 * tint.at(y, x);
          values[static_cast<std::size_t>(n * channels * height * width + within)] =
              static_cast<float>(smooth + 0.5 * (random.uniform() - 0.5));
        }
      }
    }
  }
  return values;
}

double sine_of_turns(double x) {
  double turn = x - std::floor(x + 0.5);  // in [-1/2, 1/2)
  if (turn > 0.25) turn = 0.5 - turn;
  if (turn < -0.25) turn = -0.5 - turn;
  const double angle = 6.283185307179586 * turn, square = angle * angle;
  return angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))));
}

std::vector<float> draw_sounds(std::int64_t count, std::int64_t length, Random& random, const Stop& stop) {
  constexpr std::int64_t swells = 6;
  std::vector<float> values(static_cast<std::size_t>(count * length));
  for (std::int64_t n = 0; n < count; ++n) {
    std::array<Tone, 4> tones;
    for (double loudness = 0.34; Tone & tone : tones) {
      tone = {0.002 + 0.1 * random.uniform(), random.uniform(), loudness};
      loudness *= 0.6;
    }
    std::array<double, swells + 2> envelope;
    for (double& level : envelope) level = 0.1 + 0.9 * random.uniform();
    for (std::int64_t t = 0; t < length; ++t) {
      if (is_stopped_at(static_cast<std::size_t>(t), stop)) return values;
      const auto swell = static_cast<std::size_t>(t * swells / length);
      const double into = static_cast<double>(t * swells % length) / static_cast<double>(length);
      const double level = envelope[swell] * (1 - into) + envelope[swell + 1] * into;
      double sound = 0.5 * (random.uniform() - 0.5);
      for (const Tone& tone : tones)
        sound += level * tone.loudness * sine_of_turns(tone.turns_per_sample * static_cast<double>(t) + tone.phase);
      values[static_cast<std::size_t>(n * length + t)] = static_cast<float>(sound);
    }
  }
  return values;
}

}  // namespace culprit
