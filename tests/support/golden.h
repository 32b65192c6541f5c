#pragma once
// What reference implementations say of random cases: tests/golden/metrics, written by its make.py. Whoever includes
// this is named in tests/CMakeLists.txt, for it reads files of this tree.

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace culprit {

constexpr double golden_error = 1e-9;

/// What stands under `key` in a file.
inline nlohmann::json golden(const std::string& name, const std::string& key) {
  std::ifstream file(std::string(CULPRIT_SOURCE) + "/tests/golden/metrics/" + name + ".json");
  return nlohmann::json::parse(file).at(key);
}

}  // namespace culprit
