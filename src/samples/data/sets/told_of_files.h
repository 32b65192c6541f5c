#pragma once
// What a folder of pictures or sounds and its labels are, in lines for people. What was left out is told, with its
// reason.

#include <cstdint>
#include <string>
#include <vector>

#include "data/sets/coco.h"
#include "data/sets/labelled_files.h"

namespace culprit {

/// "13 images in images", other files, folders that were passed over.
std::vector<std::string> told_of_files(const LabelledFiles& files);

/// "labels from labels.csv: 3 classes on 3 of 13 images", how they are numbered, how many are none, and what the
/// list names that is not there. Nothing without.
std::vector<std::string> told_of_labels(const LabelledFiles& files);

/// "boxes from instances.json: 2 categories on 3 of 13 images", annotations that are left out. `listed`: pictures of
/// the folder of which the list tells, of `pictures`.
std::vector<std::string> told_of_boxes(const ListedBoxes& boxes, std::int64_t listed, std::int64_t pictures);

}  // namespace culprit
