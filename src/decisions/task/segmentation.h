#pragma once
// Pictures of classes, compared pixel by pixel.

#include <cstdint>
#include <map>
#include <span>

#include "base/state_bytes.h"
#include "statistics/sample_values.h"

namespace culprit {

/// How often classes meet: for each class its pixels in a, in b, and in both at once. Whole numbers, so that samples
/// can be added in any grouping.
class PixelCounts {
 public:
  static constexpr std::size_t most_classes = 4096;

  /// As many labels in both; those beyond `most_classes` different ones count as one.
  void add(std::span<const std::int32_t> a, std::span<const std::int32_t> b);
  /// As if all of `other` had been added so often.
  void merge(const PixelCounts& other, std::int64_t times = 1);
  void write(StateWriter& state) const;
  static PixelCounts read(StateReader& state);

  [[nodiscard]] std::int64_t pixels() const { return pixels_; }
  [[nodiscard]] double agreement() const;  ///< share of pixels with the same class; 1 of none
  /// Pixels in both over pixels in either (P. Jaccard 1912; sklearn.metrics.jaccard_score), of each class that is
  /// anywhere; below 0 is none.
  [[nodiscard]] std::map<std::int32_t, double> iou() const;
  [[nodiscard]] std::map<std::int32_t, std::int64_t> there() const;  ///< pixels of each of those classes in `b`
  [[nodiscard]] double mean_iou() const;                             ///< over those classes; 1 of none

 private:
  struct Count {
    std::int64_t a = 0, b = 0, both = 0;
  };
  Count& of(std::int32_t label);

  std::map<std::int32_t, Count> classes_;
  std::int64_t pixels_ = 0, same_ = 0;
};

}  // namespace culprit
