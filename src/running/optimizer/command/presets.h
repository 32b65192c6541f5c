#pragma once
// The programs that culprit knows from the start: optimizers/*.yaml and the scripts in hosts/ that they call. The
// binary carries their texts.

#include <span>
#include <string_view>

namespace culprit {

struct PresetFile {
  std::string_view name;  ///< "onnxsim", "onnxsim_steps.py"
  std::string_view text;
};

std::span<const PresetFile> preset_specs();
std::span<const PresetFile> preset_scripts();

}  // namespace culprit
