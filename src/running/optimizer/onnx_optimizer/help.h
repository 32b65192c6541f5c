#pragma once
// What each pass of ONNX Optimizer does, in a line of our own, read off its sources (0.4.2).

#include <string>
#include <string_view>

namespace culprit {

/// One line, no full stop. For a pass that is not in the table (a newer optimizer has more): a line that says so.
std::string help_for(std::string_view pass);

}  // namespace culprit
