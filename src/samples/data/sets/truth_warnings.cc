#include "data/sets/truth_warnings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/lower_case.h"
#include "base/text.h"
#include "picture/decode_picture.h"

namespace culprit {
namespace {

constexpr std::array parts_of_data = {"train", "training", "val", "valid", "validation",
                                      "test",  "testing",  "dev", "eval",  "evaluation"};

bool is_part_of_data(const std::string& folder) {
  const std::string lower = lower_case(folder);
  return std::ranges::any_of(parts_of_data, [&](std::string_view part) { return lower == part; });
}

/// Lists give sides in tenths of pixels, and some count from 1.
bool is_outside(const ListedBox& box, const PictureSize& size) {
  constexpr float allowed = 1;
  return box.x < -allowed || box.y < -allowed || box.x + box.width > static_cast<float>(size.width) + allowed ||
         box.y + box.height > static_cast<float>(size.height) + allowed;
}

std::string text_of(const PictureSize& size) { return fmt::format("{}x{}", size.width, size.height); }

/// What was found, and the first place where it was.
struct Findings {
  std::int64_t looked_at = 0, other_sizes = 0, boxes = 0, boxes_outside = 0;
  std::string first_size, first_box;

  void add(const std::string& name, const ListedPicture& listed, const PictureSize& size) {
    ++looked_at;
    const bool is_said = listed.size.width > 0 && listed.size.height > 0;
    if (is_said && listed.size != size && other_sizes++ == 0)
      first_size = fmt::format("{} is {}, and {} in the list", name, text_of(size), text_of(listed.size));
    for (const ListedBox& box : listed.boxes) {
      ++boxes;
      if (is_outside(box, size) && boxes_outside++ == 0)
        first_box = fmt::format("{} is {}, and a box [x, y, width, height] is [{:g}, {:g}, {:g}, {:g}]", name,
                                text_of(size), box.x, box.y, box.width, box.height);
    }
  }
};

}  // namespace

std::vector<Warning> warnings_of_folders(const LabelledFiles& files) {
  const std::vector<std::string>& folders = files.label_folders;
  if (folders.empty() || !std::ranges::all_of(folders, is_part_of_data)) return {};
  return {
      {"folders_are_splits",
       fmt::format("the folders {} are taken as classes, and are called as parts of a data set are; --data with one "
                   "of them reads that part alone, --labels says what the {} are",
                   join(folders, ", "), files.kind->many)}};
}

std::vector<Warning> warnings_of_list(const LabelledFiles& files) {
  if (files.listed_elsewhere.empty()) return {};
  const bool is_one = files.listed_elsewhere.size() == 1;
  return {{"labels_outside",
           fmt::format("{} of {} files that {} names {} no {} of the folder, such as '{}'",
                       files.listed_elsewhere.size(), files.listed, files.labels_from, is_one ? "is" : "are",
                       is_one ? files.kind->one : files.kind->many, printable(files.listed_elsewhere.front(), 100))}};
}

std::vector<Warning> warnings_of_boxes(const ListedBoxes& boxes, const std::vector<const ListedPicture*>& listed,
                                       const LabelledFiles& files, const std::vector<std::int64_t>& numbers) {
  Findings found;
  for (const std::int64_t number : numbers) {
    const auto at = static_cast<std::size_t>(number);
    if (listed[at] == nullptr) continue;
    const std::string name(files.names[at]);
    if (const auto size = picture_size(files.folder / name)) found.add(printable(name, 100), *listed[at], *size);
  }
  std::vector<Warning> warnings;
  if (found.other_sizes > 0)
    warnings.push_back({"picture_sizes_differ",
                        fmt::format("{} says another size of {} of {} image{} than the file{}: {}; its boxes are "
                                    "taken as pixels of the files, so they must have been made smaller with these",
                                    boxes.from, found.other_sizes, found.looked_at, found.looked_at == 1 ? "" : "s",
                                    found.other_sizes == 1 ? " has" : "s have", found.first_size)});
  if (found.boxes_outside > 0)
    warnings.push_back(
        {"boxes_outside",
         fmt::format("{} of {} box{} in {} reach{} out of the image: {}", found.boxes_outside, found.boxes,
                     found.boxes == 1 ? "" : "es", boxes.from, found.boxes_outside == 1 ? "es" : "", found.first_box)});
  return warnings;
}

}  // namespace culprit
