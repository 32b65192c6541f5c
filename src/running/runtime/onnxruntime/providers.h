#pragma once
// Execution providers: on what a session runs its nodes.

#include <string>
#include <vector>

#include "runtime/onnxruntime/api.h"

namespace culprit::ort {

/// The providers that the loaded library was built with, "CUDA", "CPU", in the order in which it would rather use them.
/// That one is there does not say that it starts.
std::vector<std::string> available_providers();

/// Makes this one the first that nodes are given to; what it does not know runs on the CPU, which need not be named.
/// CUDA runs on its first device, as CUDA_DEVICE_ORDER=PCI_BUS_ID counts unless the environment says otherwise: so it
/// is NVML's. Throws what the library throws.
void use_provider(Ort::SessionOptions& options, const std::string& provider);

}  // namespace culprit::ort
