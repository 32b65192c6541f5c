#pragma once
// Fields of YAML files, read so that a mistake is named with its line. Who includes this links yaml-cpp.

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "base/text.h"

namespace culprit {

/// What is wrong with a file, and where.
class YamlFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// "line 3: ".
inline std::string line_of(const YAML::Node& node) {
  return node.Mark().is_null() ? "" : fmt::format("line {}: ", node.Mark().line + 1);
}

/// `example`: a line such as "name: onnxsim".
inline void expect_keys(const YAML::Node& map, std::span<const char* const> known, const char* example) {
  if (!map.IsMap())
    throw YamlFault(fmt::format("{}here must stand keys and values, such as `{}`", line_of(map), example));
  const std::vector<std::string> names(known.begin(), known.end());
  std::set<std::string> seen;
  for (const auto& entry : map) {
    const auto key = entry.first.as<std::string>();
    if (std::ranges::find(names, key) == names.end()) {
      const std::string near = closest(key, names);
      throw YamlFault(fmt::format("{}there is no key '{}'; {}", line_of(entry.first), printable(key, 60),
                                  near.empty() ? "there are " + join(names, ", ") : "did you mean '" + near + "'?"));
    }
    if (!seen.insert(key).second)
      throw YamlFault(fmt::format("{}'{}' is there twice", line_of(entry.first), printable(key, 60)));
  }
}

/// What may stand at the top of a file that tells of a model, such as culprit.yaml beside it.
inline constexpr std::array description_keys{"preprocess", "task", "classes", "detector", "data", "labels", "state"};

/// A file that has one of them has no other ones. (Without any, it may be all about how pictures are prepared.)
inline void expect_description_keys(const YAML::Node& root) {
  if (root.IsMap() && std::ranges::any_of(description_keys, [&](const char* key) { return root[key].IsDefined(); }))
    expect_keys(root, description_keys, "preprocess: torchvision");
}

/// "" where the key is not there.
inline std::string text_at(const YAML::Node& map, const char* key) {
  const YAML::Node node = map[key];
  if (!node.IsDefined() || node.IsNull()) return "";
  if (!node.IsScalar()) throw YamlFault(fmt::format("{}'{}' must be one word or line", line_of(node), key));
  return node.Scalar();
}

inline bool flag_at(const YAML::Node& map, const char* key) {
  const std::string text = text_at(map, key);
  if (text.empty() || text == "false" || text == "no") return false;
  if (text == "true" || text == "yes") return true;
  throw YamlFault(fmt::format("{}'{}' must be true or false", line_of(map[key]), key));
}

}  // namespace culprit
