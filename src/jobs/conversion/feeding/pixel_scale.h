#pragma once
// The scales in which nets take pixels. Private to this folder.

#include <array>
#include <cstdint>
#include <string_view>

#include "tensor/tensor.h"

namespace culprit {

/// A pixel from 0 to 255 is (pixel * scale - mean) / std. By channel: red, green, blue.
struct PixelScale {
  std::string_view name;
  double scale = 1;
  std::array<double, 3> mean = {0, 0, 0}, std = {1, 1, 1};
  [[nodiscard]] bool is_one_for_all() const { return mean[0] == mean[1] && std[0] == std[1]; }
};

/// By the presets of Keras and torchvision: none ("0 to 255"), "0 to 1", "-1 to 1" (mode tf), ImageNet's mean and std
/// (mode torch), ImageNet's means alone (mode caffe).
inline constexpr std::array<PixelScale, 5> pixel_scales = {
    {{"0 to 255"},
     {"0 to 1", 1.0 / 255},
     {"-1 to 1", 1 / 127.5, {1, 1, 1}},
     {"mean and std of ImageNet", 1.0 / 255, {0.485, 0.456, 0.406}, {0.229, 0.224, 0.225}},
     {"0 to 255 less the means of ImageNet", 1, {123.68, 116.779, 103.939}}}};

/// What lies in the scale `from` in the scale `to`, as float32. `inner`: elements of one channel that lie side by side;
/// `channels`: 3, or 1 where both scales are the same for all.
Tensor rescaled(const Tensor& tensor, const PixelScale& from, const PixelScale& to, std::int64_t inner,
                std::int64_t channels);

}  // namespace culprit
