#include "base/json_depth.h"

#include <algorithm>

namespace culprit {

int json_depth(std::string_view json) {
  int depth = 0, deepest = 0;
  bool is_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char letter = json[i];
    if (is_text && letter == '\\') ++i;
    if (letter == '"') is_text = !is_text;
    if (is_text) continue;
    if (letter == '[' || letter == '{') deepest = std::max(deepest, ++depth);
    if (letter == ']' || letter == '}') --depth;
  }
  return deepest;
}

}  // namespace culprit
