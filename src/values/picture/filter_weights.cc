#include "picture/filter_weights.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace culprit {
namespace {

using Kernel = double (*)(double);

double box(double x) { return x > -0.5 && x <= 0.5 ? 1 : 0; }
double triangle(double x) { return std::max(0.0, 1 - std::abs(x)); }
/// Keys' cubic (1981); `a` is -0.5 in Pillow and TensorFlow, and -0.75 in OpenCV and torch without antialias.
double cubic(double x, double a) {
  x = std::abs(x);
  if (x < 1) return ((a + 2) * x - (a + 3)) * x * x + 1;
  if (x < 2) return (((x - 5) * x + 8) * x - 4) * a;
  return 0;
}
double soft_cubic(double x) { return cubic(x, -0.5); }
double sharp_cubic(double x) { return cubic(x, -0.75); }
double sinc(double x) { return x == 0 ? 1 : std::sin(x * std::numbers::pi) / (x * std::numbers::pi); }
double lanczos3(double x) { return x >= -3 && x < 3 ? sinc(x) * sinc(x / 3) : 0; }
double lanczos4(double x) { return x >= -4 && x < 4 ? sinc(x) * sinc(x / 4) : 0; }

/// Pillow's precompute_coeffs() (src/libImaging/Resample.c): the filter is stretched where the picture shrinks, and
/// what is beyond the border does not count. torch's antialias and TensorFlow's ScaleAndTranslate compute the same.
AxisWeights stretched(Kernel kernel, double radius, int in, int out, bool is_stretched) {
  const double scale = static_cast<double>(in) / out;
  const double stretch = is_stretched ? std::max(scale, 1.0) : 1.0;
  const double support = radius * stretch;
  const double inverse = 1.0 / stretch;
  AxisWeights axis;
  for (int i = 0; i < out; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(static_cast<int>(std::floor(center - support + 0.5)), 0);
    const int end = std::min(static_cast<int>(std::floor(center + support + 0.5)), in);
    const std::size_t start = axis.weights.size();
    double sum = 0;
    for (int x = 0; x < end - first; ++x) {
      const double weight = kernel((x + first - center + 0.5) * inverse);
      axis.weights.push_back(weight);
      sum += weight;
    }
    for (std::size_t k = start; k < axis.weights.size(); ++k)
      if (sum != 0) axis.weights[k] /= sum;
    axis.reaches.push_back({first, end - first, start});
  }
  return axis;
}

/// What happens to neighbours beyond the border: the pixel at the border stands for them, or they do not count.
enum class Border { repeated, left_out };

/// A fixed number of neighbours around each point, `taps` / 2 to each side of it.
AxisWeights interpolated(Kernel kernel, int taps, int in, int out, Border border, int steps) {
  const double scale = static_cast<double>(in) / out;
  AxisWeights axis;
  for (int i = 0; i < out; ++i) {
    const double place = (i + 0.5) * scale - 0.5;
    const int left = static_cast<int>(std::floor(place));
    double rest = place - left;
    if (steps > 0) rest = std::nearbyint(rest * steps) / steps;
    const int first = std::clamp(left - taps / 2 + 1, 0, in - 1);
    const int last = std::clamp(left + taps / 2, 0, in - 1);
    const std::size_t start = axis.weights.size();
    axis.weights.resize(start + static_cast<std::size_t>(last - first) + 1);
    double sum = 0;
    for (int t = -taps / 2 + 1; t <= taps / 2; ++t) {
      const int pixel = std::clamp(left + t, 0, in - 1);
      if (pixel != left + t && border == Border::left_out) continue;
      const double weight = kernel(t - rest);
      axis.weights[start + static_cast<std::size_t>(pixel - first)] += weight;
      sum += weight;
    }
    for (std::size_t k = start; k < axis.weights.size(); ++k)
      if (sum != 0) axis.weights[k] /= sum;
    axis.reaches.push_back({first, last - first + 1, start});
  }
  return axis;
}

/// Each pixel of the source counts by how much of it is covered; `is_whole`: those that are touched count alike
/// (torch's adaptive_avg_pool2d).
AxisWeights covered(int in, int out, bool is_whole) {
  AxisWeights axis;
  for (std::int64_t i = 0; i < out; ++i) {
    const std::int64_t from = i * in;  // in parts of a pixel, `out` of which are one
    const std::int64_t to = from + in;
    const auto first = static_cast<int>(from / out);
    const auto end = static_cast<int>((to + out - 1) / out);
    axis.reaches.push_back({first, end - first, axis.weights.size()});
    for (std::int64_t x = first; x < end; ++x) {
      const std::int64_t part = std::min(to, (x + 1) * out) - std::max(from, x * out);
      axis.weights.push_back(is_whole ? 1.0 / (end - first) : static_cast<double>(part) / in);
    }
  }
  return axis;
}

/// OpenCV's area where the picture grows: linear, but each pixel of the source keeps a part of its own. As its resize()
/// computes, to the order and width of the operations: where two edges meet, a last bit decides.
AxisWeights opencv_growing_area(int in, int out) {
  const double inverse = static_cast<double>(out) / in;
  const double scale = 1.0 / inverse;
  AxisWeights axis;
  for (int i = 0; i < out; ++i) {
    const int left = std::min(static_cast<int>(std::floor(i * scale)), in - 1);
    auto rest = static_cast<float>((i + 1) - (left + 1) * inverse);
    rest = rest <= 0 || left == in - 1 ? 0 : rest - std::floor(rest);
    axis.reaches.push_back({left, left == in - 1 ? 1 : 2, axis.weights.size()});
    axis.weights.push_back(1 - rest);
    if (left < in - 1) axis.weights.push_back(rest);
  }
  return axis;
}

AxisWeights pillow_weights(Filter filter, int in, int out) {
  switch (filter) {
    case Filter::area:
      return stretched(box, 0.5, in, out, true);
    case Filter::bicubic:
      return stretched(soft_cubic, 2, in, out, true);
    case Filter::lanczos:
      return stretched(lanczos3, 3, in, out, true);
    default:
      return stretched(triangle, 1, in, out, true);
  }
}

AxisWeights opencv_weights(Filter filter, int in, int out, bool shrinks_both) {
  switch (filter) {
    case Filter::area:
      return shrinks_both ? covered(in, out, false) : opencv_growing_area(in, out);
    case Filter::bicubic:
      return interpolated(sharp_cubic, 4, in, out, Border::repeated, 0);
    case Filter::lanczos:
      return interpolated(lanczos4, 8, in, out, Border::repeated, 0);
    default:
      return interpolated(triangle, 2, in, out, Border::repeated, 0);
  }
}

AxisWeights torch_weights(const ResizeMethod& method, int in, int out) {
  if (method.filter == Filter::area) return covered(in, out, true);
  const bool is_cubic = method.filter == Filter::bicubic;
  if (method.antialias) return stretched(is_cubic ? soft_cubic : triangle, is_cubic ? 2 : 1, in, out, true);
  return interpolated(is_cubic ? sharp_cubic : triangle, is_cubic ? 4 : 2, in, out, Border::repeated, 0);
}

AxisWeights tf_weights(const ResizeMethod& method, int in, int out) {
  constexpr int steps_of_cubic = 1024;  // the weights come out of a table with so many places between two pixels
  if (method.filter == Filter::area) return covered(in, out, false);
  if (method.filter == Filter::lanczos) return stretched(lanczos3, 3, in, out, method.antialias);
  const bool is_cubic = method.filter == Filter::bicubic;
  if (method.antialias) return stretched(is_cubic ? soft_cubic : triangle, is_cubic ? 2 : 1, in, out, true);
  if (is_cubic) return interpolated(soft_cubic, 4, in, out, Border::left_out, steps_of_cubic);
  return interpolated(triangle, 2, in, out, Border::repeated, 0);
}

/// Pillow adds up the places (ImagingScaleAffine() in src/libImaging/Geometry.c), and so must who wants its bytes.
std::vector<int> pillow_nearest(int in, int out) {
  std::vector<int> pixels;
  const double step = static_cast<double>(in) / out;
  double place = step * 0.5;
  for (int i = 0; i < out; ++i, place += step) pixels.push_back(std::min(static_cast<int>(place), in - 1));
  return pixels;
}

}  // namespace

AxisWeights weights_for(const ResizeMethod& method, int in, int out, bool shrinks_both) {
  switch (method.backend) {
    case Backend::opencv:
      return opencv_weights(method.filter, in, out, shrinks_both);
    case Backend::torch:
      return torch_weights(method, in, out);
    case Backend::tf:
      return tf_weights(method, in, out);
    default:
      return pillow_weights(method.filter, in, out);
  }
}

std::vector<int> nearest_pixels(const ResizeMethod& method, int in, int out) {
  if (method.backend == Backend::pillow || method.backend == Backend::pillow12) return pillow_nearest(in, out);
  const bool is_by_middle = method.backend == Backend::tf || method.filter == Filter::nearest_exact;
  const bool is_opencv = method.backend == Backend::opencv;
  const float short_step = static_cast<float>(in) / static_cast<float>(out);
  const double step = 1.0 / (static_cast<double>(out) / in);
  std::vector<int> pixels;
  for (int i = 0; i < out; ++i) {
    const float place = (static_cast<float>(i) + (is_by_middle ? 0.5F : 0.0F)) * short_step;
    const double found = is_opencv ? std::floor(i * step) : std::floor(place);
    pixels.push_back(std::min(static_cast<int>(found), in - 1));
  }
  return pixels;
}

}  // namespace culprit
