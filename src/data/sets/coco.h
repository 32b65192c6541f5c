#pragma once
// Boxes of objects on pictures, as COCO's instances_*.json lists them (T.-Y. Lin et al., "Microsoft COCO", 2014;
// cocodataset.org, "data format").

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// In pixels of the picture.
struct ListedBox {
  float x = 0, y = 0, width = 0, height = 0;
  std::int32_t category = 0;  ///< its place among the categories, in the order of their ids
  bool is_crowd = false;      ///< a region with many of them
};

struct ListedBoxes {
  std::vector<std::string> categories;     ///< names, in the order of their ids
  std::vector<std::int64_t> category_ids;  ///< as in the file: COCO's own have gaps, 1 to 90 for 80
  std::map<std::string, std::vector<ListedBox>, std::less<>> by_file;  ///< also pictures with none
  std::int64_t left_out = 0;  ///< of a picture or a category that the file does not list, or without a box
};

/// Masks and all else that is no box are passed over as they are read. An error where it is no such file: what was
/// looked for and is not there.
Result<ListedBoxes> read_coco(const std::filesystem::path& path);

/// Does it look like one? Only the beginning is read.
bool may_be_coco(const std::filesystem::path& path);

}  // namespace culprit
