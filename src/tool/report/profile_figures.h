#pragma once
// A profile as pictures, after the figures of OTX (Narsipur: "OTX: Testing the ONNX Runtime Optimizer").

#include <vector>

#include "record/profile.h"
#include "report/figure.h"

namespace culprit {

/// The figures that there is something to show in, in this order: node_count (OTX, figure 3), op_types (4), ratio (5),
/// latency, utilization and power (6), op_times, roofline, sweep.
std::vector<Figure> figures_of(const ProfileReport& report);

}  // namespace culprit
