#pragma once
// Which of its optimizations the runtime is told to run.

#include <string>
#include <vector>

#include "runtime/onnxruntime/api.h"
#include "runtime/session_options.h"

namespace culprit::ort {

/// Our levels as the runtime's.
inline GraphOptimizationLevel level_of(Level level) {
  switch (level) {
    case Level::off:
      return ORT_DISABLE_ALL;
    case Level::basic:
      return ORT_ENABLE_BASIC;
    case Level::extended:
      return ORT_ENABLE_EXTENDED;
    case Level::layout:
      return static_cast<GraphOptimizationLevel>(3);  // older headers have no name for it, older libraries refuse it
    case Level::all:
      return ORT_ENABLE_ALL;
  }
  return ORT_DISABLE_ALL;
}

/// Leaves out the steps of these registered names. Throws std::length_error where they are longer than the runtime
/// takes.
void disable(Ort::SessionOptions& options, const std::vector<std::string>& steps);

}  // namespace culprit::ort
