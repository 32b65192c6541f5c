#pragma once
// What the models of a campaign decide, before and after the optimizer: out of the reports of `check`.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "campaign/case_order.h"

namespace culprit {

/// A model and one variant of it, on a whole data set.
struct CasePredictions {
  CaseOrder order;
  std::string variant;  ///< "all default passes", "fuse_bn_into_conv"
  std::string task;     ///< "classification"
  std::int64_t samples = 0;
  std::int64_t changed = 0;               ///< samples on which they decide otherwise
  std::map<std::string, double> metrics;  ///< by their names (docs/decisions.md)
};

/// One for each variant that was tried on the data set. There is none if `check` had no --data.
std::vector<CasePredictions> predictions_in(const CaseOrder& order, std::string_view report);

}  // namespace culprit
