#include "conversion/feeding/pixel_scale.h"

#include <vector>

namespace culprit {

Tensor rescaled(const Tensor& tensor, const PixelScale& from, const PixelScale& to, std::int64_t inner,
                std::int64_t channels) {
  std::vector<float> numbers;
  numbers.reserve(static_cast<std::size_t>(tensor.count()));
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const auto channel = static_cast<std::size_t>(i / inner % channels);
    const double pixel = (tensor.number(i) * from.std.at(channel) + from.mean.at(channel)) / from.scale;
    numbers.push_back(static_cast<float>((pixel * to.scale - to.mean.at(channel)) / to.std.at(channel)));
  }
  return Tensor::of<float>(tensor.shape(), numbers);
}

}  // namespace culprit
