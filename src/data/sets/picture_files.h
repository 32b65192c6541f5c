#pragma once
// The files of a folder of pictures, and what is known of each: its label, from the folder that it lies in or from a
// list of labels.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/name_table.h"

namespace culprit {

struct PictureFiles {
  std::filesystem::path folder;
  NameTable names;                   ///< below the folder, with '/', sorted by bytes
  std::vector<std::string> classes;  ///< names of all labels, in the order of their numbers; empty without labels
  std::vector<std::int32_t> labels;  ///< of each file, -1: unknown; empty without labels
  std::string labels_from;           ///< "the names of folders", "labels.csv"; "" without labels
  NameTable other;                   ///< files that are none, by their ending: lists of labels are not among them
};

/// All files of the folder and of those in it. Endings tell what may be a picture (.jpg .jpeg .png .gif .webp .bmp .ppm
/// .pgm .pbm, in any case); whether it is one, its bytes do, when it is read. Hidden files are passed over; links to
/// folders are not followed.
///
/// Labels come from `labels` (a .csv with lines `file,label`, or a .jsonl with objects {"file", "label"}), from
/// labels.csv or labels.jsonl in the folder, or from the names of folders, where all pictures lie in folders, and these
/// are at least two. Labels that are numbers are classes of that number; other ones are numbered in their order, as in
/// torchvision's ImageFolder, or by `classes.txt` in the folder (one name a line). Errors name file and line.
Result<PictureFiles> list_pictures(const std::filesystem::path& folder, const std::filesystem::path& labels = {});

/// Does a folder hold a picture, itself or in its folders?
bool has_pictures(const std::filesystem::path& folder);

}  // namespace culprit
