#pragma once
// Numbers by name, of the samples that have them: their means with intervals. Merged in order they give the bits of one
// that saw all. Takes 4 bytes for each number. Private to this room.

#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "comparator/answer.h"
#include "record/decisions.h"
#include "statistics/sample_values.h"

namespace culprit {

class MetricMeans {
 public:
  void add(const NamedNumbers& numbers);
  void merge(const MetricMeans& later);
  void write(StateWriter& state) const;
  static MetricMeans read(StateReader& state);
  [[nodiscard]] std::size_t size() const { return metrics_.size(); }
  /// A metric whose numbers all lie between 0 and 1 is taken for a share: if all are equal, its interval is Wilson's.
  [[nodiscard]] std::map<std::string, MetricRecord> records(std::uint64_t seed) const;

 private:
  struct Metric {
    SampleValues values;
    double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  };
  std::map<std::string, Metric> metrics_;
};

}  // namespace culprit
