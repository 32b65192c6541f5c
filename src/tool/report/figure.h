#pragma once
// A picture that stands beside a report: self-contained SVG, without scripts and with whatever fonts there are. It
// follows the reader's light or dark scheme, and its colours differ for those who are colour-blind, too (Okabe and Ito,
// 2008).

#include <string>

namespace culprit {

/// Below the folder of a run.
inline constexpr const char* figures_folder = "figures";

struct Figure {
  std::string file;   ///< "node_count.svg"
  std::string title;  ///< plain text; untrusted names are not in it
  std::string svg;
};

}  // namespace culprit
