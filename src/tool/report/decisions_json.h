#pragma once
// What reports say of decisions on a data set, as JSON. Seen in this room only.

#include <map>
#include <optional>
#include <string>

#include "record/decisions.h"
#include "report/json_parts.h"

namespace culprit {

Json metrics_of(const std::map<std::string, MetricRecord>& metrics);
Json worst_sample_of(const WorstSample& worst);
/// null where there are none.
Json decisions_of(const std::optional<VariantDecisions>& decisions);

}  // namespace culprit
