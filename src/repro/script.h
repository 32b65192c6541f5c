#pragma once
// The text of repro.py, which goes into every bundle as it is: what it does and compares by, it reads from repro.json.

#include <string_view>

namespace culprit {

std::string_view repro_script();

}  // namespace culprit
