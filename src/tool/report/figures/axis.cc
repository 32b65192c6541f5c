#include "report/figures/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace culprit {
namespace {

constexpr double most_ticks = 6;

/// 1, 2 or 5 times a power of ten.
double nice_step(double span) {
  const double rough = span / most_ticks;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

}  // namespace

ChartAxis ChartAxis::linear(double low, double high, const std::string& unit) {
  ChartAxis axis;
  low = std::isfinite(low) ? std::min(low, 0.0) : 0;
  high = std::isfinite(high) ? std::max(high, 0.0) : 0;
  if (high - low < 1e-300) high = low + 1;
  const double step = nice_step(high - low);
  const auto first = static_cast<int>(std::floor(low / step + 1e-9));
  const auto last = static_cast<int>(std::ceil(high / step - 1e-9));
  for (int i = first; i <= last; ++i)
    axis.ticks_.push_back({i * step, fmt::format("{:.6g}{}", i * step, unit.empty() ? "" : " " + unit)});
  axis.low_ = first * step;
  axis.high_ = last * step;
  return axis;
}

ChartAxis ChartAxis::ratios(double low, double high) {
  ChartAxis axis;
  axis.is_logarithmic_ = true;
  axis.low_ = std::max(low, 1e-6);
  axis.high_ = std::min(std::max(high, axis.low_ * 1.01), 1e6);
  constexpr std::array<double, 7> wide{0.001, 0.01, 0.1, 1, 10, 100, 1000};
  constexpr std::array<double, 13> middle{1. / 64, 1. / 32, 0.0625, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64};
  constexpr std::array<double, 14> close{0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 2.5, 3};
  constexpr std::array<double, 9> narrow{0.8, 0.85, 0.9, 0.95, 1, 1.05, 1.1, 1.15, 1.2};
  const auto add = [&](const auto& candidates) {
    for (const double value : candidates)
      if (value >= axis.low_ * 0.999 && value <= axis.high_ * 1.001)
        axis.ticks_.push_back({value, fmt::format("{:.4g}", value)});
  };
  const double span = axis.high_ / axis.low_;
  if (span > 150)
    add(wide);
  else if (span > 4)
    add(middle);
  else if (span > 1.5)
    add(close);
  else
    add(narrow);
  return axis;
}

ChartAxis ChartAxis::logarithmic(double low, double high, const std::function<std::string(double)>& label) {
  ChartAxis axis;
  axis.is_logarithmic_ = true;
  axis.low_ = std::isfinite(low) ? std::clamp(low, 1e-300, 1e300) : 1;
  axis.high_ = std::max(std::isfinite(high) ? std::min(high, 1e301) : 1, axis.low_ * 1.05);
  const double span = axis.high_ / axis.low_;
  const auto add = [&](double value) {
    if (value >= axis.low_ * (1 - 1e-9) && value <= axis.high_ * (1 + 1e-9))
      axis.ticks_.push_back({value, label(value)});
  };
  if (span < 8) {
    const double step = nice_step(axis.high_ - axis.low_);
    const auto begin = static_cast<std::int64_t>(std::ceil(axis.low_ / step - 1e-9));
    const auto end = static_cast<std::int64_t>(std::floor(axis.high_ / step + 1e-9));
    for (std::int64_t i = begin; i <= end; ++i) add(static_cast<double>(i) * step);
    return axis;
  }
  const int first = static_cast<int>(std::floor(std::log10(axis.low_)));
  const int last = static_cast<int>(std::ceil(std::log10(axis.high_)));
  const int every = std::max(1, static_cast<int>(std::ceil((last - first) / most_ticks)));
  for (int power = first; power <= last; power += every)
    for (const double factor : {1.0, 2.0, 5.0})
      if (factor == 1 || span < 200) add(factor * std::pow(10, power));
  return axis;
}

ChartAxis ChartAxis::at(const std::vector<std::int64_t>& values) {
  constexpr double room = 1.15;
  ChartAxis axis;
  axis.is_logarithmic_ = true;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  axis.low_ = std::max(1.0, values.empty() ? 1 : static_cast<double>(*least)) / room;
  axis.high_ = std::max(axis.low_, values.empty() ? 1 : static_cast<double>(*most)) * room;
  for (const std::int64_t value : values) axis.ticks_.push_back({static_cast<double>(value), std::to_string(value)});
  return axis;
}

double ChartAxis::position(double value) const {
  const double at = is_logarithmic_ ? std::log(std::max(value, low_) / low_) / std::log(high_ / low_)
                                    : (value - low_) / (high_ - low_);
  return std::isnan(at) ? 0 : std::clamp(at, 0.0, 1.0);
}

}  // namespace culprit
