#include "data/sets/truth_of_file.h"

#include <algorithm>
#include <string>
#include <vector>

namespace culprit {

Truth truth_of_file(const LabelledFiles& files, std::int64_t number) {
  Truth truth;
  const auto at = static_cast<std::size_t>(number);
  if (!files.labels.empty() && files.labels[at] >= 0) {
    truth.label = std::to_string(files.labels[at]);
    truth.name = files.classes[static_cast<std::size_t>(files.labels[at])];
  }
  if (!files.several.empty()) truth.classes = files.several[at];
  if (!files.texts.empty() && files.texts[at]) truth.texts = std::vector<std::string>{*files.texts[at]};
  return truth;
}

bool is_known(const LabelledFiles& files) {
  const auto has_value = [](const auto& one) { return one.has_value(); };
  return std::ranges::any_of(files.labels, [](std::int32_t label) { return label >= 0; }) ||
         std::ranges::any_of(files.several, has_value) || std::ranges::any_of(files.texts, has_value);
}

}  // namespace culprit
