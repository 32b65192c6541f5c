#pragma once
// A horizontal axis: which values it shows, where its ticks stand, and how they are written.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace culprit {

struct ChartTick {
  double value = 0;
  std::string label;
};

class ChartAxis {
 public:
  /// From 0, or from `low` where that is negative, to at least `high`; ends at a tick. `unit` stands behind labels.
  static ChartAxis linear(double low, double high, const std::string& unit);
  /// Logarithmic, for ratios: from `low` to `high`, both positive; 1 has a tick.
  static ChartAxis ratios(double low, double high);
  /// Logarithmic, for whatever is positive: ends at `low` and `high`, has at least one tick, and writes them so.
  static ChartAxis logarithmic(double low, double high, const std::function<std::string(double)>& label);

  /// Logarithmic, with a tick at each of these positive numbers and at no other; with some room beside them.
  static ChartAxis at(const std::vector<std::int64_t>& values);

  /// Between 0 and 1; what lies outside is at the end.
  [[nodiscard]] double position(double value) const;
  [[nodiscard]] const std::vector<ChartTick>& ticks() const { return ticks_; }

 private:
  double low_ = 0, high_ = 1;
  bool is_logarithmic_ = false;
  std::vector<ChartTick> ticks_;
};

}  // namespace culprit
