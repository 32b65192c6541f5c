#pragma once
// What is measured of single classes.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace culprit {

struct ClassMetrics {
  std::string name;                            ///< as culprit.yaml spells it, else its number
  std::int64_t there = 0;                      ///< what belongs to it: boxes, pixels, samples
  std::map<std::string, double> metrics = {};  ///< "ap_50", "iou"
  bool operator==(const ClassMetrics&) const = default;
};

/// Metrics of one comparison, ordered by the numbers of the classes.
struct MetricsByClass {
  std::string main;                   ///< of the metrics the one that classes are ordered by; "" where there are none
  std::vector<ClassMetrics> classes;  ///< by their numbers
  bool operator==(const MetricsByClass&) const = default;
};

}  // namespace culprit
