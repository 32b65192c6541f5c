#pragma once

namespace culprit {

/// A number over all samples, with what it may be at 95 % confidence.
struct MetricRecord {
  double value = 0, low = 0, high = 0;
  bool operator==(const MetricRecord&) const = default;
};

}  // namespace culprit
