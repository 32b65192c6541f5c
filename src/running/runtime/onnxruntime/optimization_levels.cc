#include "runtime/onnxruntime/optimization_levels.h"

#include <stdexcept>

#include "base/text.h"
#include "record/enum_names.h"
#include "runtime/optimize_by_loading.h"

namespace culprit::ort {

void disable(Ort::SessionOptions& options, const std::vector<std::string>& steps) {
  const std::string entry = join(steps, ";");
  if (entry.size() > longest_disabling_entry)
    throw std::length_error("the names to disable have " + std::to_string(entry.size()) +
                            " characters, and ONNX Runtime takes " + std::to_string(longest_disabling_entry));
  options.AddConfigEntry(disabling_entry, entry.c_str());
}

}  // namespace culprit::ort
