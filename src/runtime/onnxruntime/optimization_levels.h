#pragma once
// Our levels as the runtime's.

#include "runtime/onnxruntime/api.h"
#include "runtime/runner.h"

namespace culprit::ort {

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

}  // namespace culprit::ort
