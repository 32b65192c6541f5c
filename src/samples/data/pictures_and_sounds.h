#pragma once
// Made-up pictures and sounds: what convolutions see in them are edges, areas and tones, and not white noise.
// Exact everywhere: only + - * / on doubles, no libm.

#include <cstdint>
#include <optional>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "tensor/tensor.h"

namespace culprit {

/// Tells where the parts of a picture lie in memory.
struct PictureLayout {
  std::int64_t pictures = 1, channels = 1, height = 1, width = 1;
  bool channels_last = false;
};

/// Reads NCHW, NHWC, CHW or HWC with 1, 3 or 4 channels and sides of 16 and more; gives nothing for other shapes.
std::optional<PictureLayout> picture_layout(const Shape& shape);

/// Smooth fields with soft areas and finer structure, channels alike, and a little noise: mean 0 and deviation about 1,
/// as pictures have after normalization; half of the values are negative.
std::vector<float> draw_pictures(const PictureLayout& layout, Random& random, const Stop& stop = {});

/// `count` runs of `length` samples: four tones with a rising and falling envelope, and a little noise, in [-1, 1].
std::vector<float> draw_sounds(std::int64_t count, std::int64_t length, Random& random, const Stop& stop = {});

/// sin(2 pi x); off by less than 1e-5.
double sine_of_turns(double x);

}  // namespace culprit
