#pragma once
// Finds where what is said to be right of pictures or sounds contradicts the files, or may be meant otherwise.

#include <cstdint>
#include <vector>

#include "data/sets/coco.h"
#include "data/sets/labelled_files.h"
#include "record/warning.h"

namespace culprit {

/// `folders_are_splits`: the folders that are taken as classes are all called as parts of a data set are (train, val).
std::vector<Warning> warnings_of_folders(const LabelledFiles& files);

/// `labels_outside`: files of the list that are none of the folder.
std::vector<Warning> warnings_of_list(const LabelledFiles& files);

/// `picture_sizes_differ`: the list says other sizes than the files have, so its boxes are most likely in other pixels;
/// `boxes_outside`: boxes that reach more than a pixel out of their picture. Of the pictures with these numbers, of
/// whose files the header is read; `listed` is what the list says of each picture of the folder (null: nothing).
std::vector<Warning> warnings_of_boxes(const ListedBoxes& boxes, const std::vector<const ListedPicture*>& listed,
                                       const LabelledFiles& files, const std::vector<std::int64_t>& numbers);

}  // namespace culprit
