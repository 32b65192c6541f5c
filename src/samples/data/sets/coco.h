#pragma once
// Boxes of objects on pictures, as COCO's instances_*.json lists them (T.-Y. Lin et al., "Microsoft COCO", 2014;
// cocodataset.org, "data format").

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/name_table.h"
#include "picture/picture.h"

namespace culprit {

/// In pixels of the picture.
struct ListedBox {
  float x = 0, y = 0, width = 0, height = 0;
  std::int32_t category = 0;  ///< its place among the categories, in the order of their ids
  bool is_crowd = false;      ///< a region with many of them
};

/// What the list says of a picture.
struct ListedPicture {
  std::vector<ListedBox> boxes = {};
  PictureSize size = {};  ///< of which the list believes it to be; zeros where it does not say
};

struct ListedBoxes {
  std::string from;                                           ///< the file's name, for people
  std::vector<std::string> categories;                        ///< names, in the order of their ids
  std::vector<std::int64_t> category_ids;                     ///< as in the file: COCO's own have gaps, 1 to 90 for 80
  std::map<std::string, ListedPicture, std::less<>> by_file;  ///< also pictures without boxes
  std::int64_t annotations = 0;                               ///< all that the file has, also those that are left out
  /// What is left out, and how often: "without a box of four numbers", "of an image that it does not list".
  std::map<std::string, std::int64_t> left_out;
  std::int64_t pictures_left_out = 0;    ///< entries of "images" without an id or a file name
  std::int64_t categories_left_out = 0;  ///< entries of "categories" without an id
};

/// Masks and all else that is no box are passed over as they are read. Errors: it is no such file (what was looked for
/// and is not there; of a file that is no JSON the line and the column), or none of its annotations is of use.
Result<ListedBoxes> read_coco(const std::filesystem::path& path);

/// The list's entry for each picture below the folder (data/sets/listed_names.h). Null where there is none.
std::vector<const ListedPicture*> boxes_of_pictures(const ListedBoxes& boxes, const NameTable& pictures,
                                                    const std::filesystem::path& folder);

/// Does it look like one? Only the beginning is read.
bool may_be_coco(const std::filesystem::path& path);

}  // namespace culprit
