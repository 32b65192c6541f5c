#pragma once
// A profile as pictures, after the figures of OTX (Narsipur: "OTX: Testing the ONNX Runtime Optimizer"): self-contained
// SVG, without scripts and with whatever fonts there are. They follow the reader's light or dark scheme, and their
// colours differ for those who are colour-blind, too (Okabe and Ito, 2008).

#include <string>
#include <vector>

#include "record/profile.h"

namespace culprit {

struct ProfileFigure {
  std::string file;   ///< "node_count.svg"
  std::string title;  ///< plain text; untrusted names are not in it
  std::string svg;
};

/// Those that there is something to show in, in this order: node_count (OTX, figure 3), op_types (4), ratio (5),
/// latency, utilization and power (6), op_times, roofline, sweep.
std::vector<ProfileFigure> figures_of(const ProfileReport& report);

}  // namespace culprit
