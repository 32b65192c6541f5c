#pragma once
// The program that speaks with Ray for us: hosts/ray_cases.py.

#include <string_view>

namespace culprit {

std::string_view ray_host_script();

}  // namespace culprit
