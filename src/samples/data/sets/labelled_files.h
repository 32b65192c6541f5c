#pragma once
// The pictures or sounds of a folder, and what is known of each: its label, from the folder that it lies in or from a
// list of labels; and the words that are said in it.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/name_table.h"
#include "data/sets/file_kind.h"
#include "data/sets/folder_walk.h"

namespace culprit {

struct LabelledFiles {
  const FileKind* kind = &picture_kind();
  std::filesystem::path folder;
  NameTable names;                   ///< below the folder, with '/', sorted by bytes
  std::vector<std::string> classes;  ///< names of all labels, in the order of their numbers; empty without labels
  std::vector<std::int32_t> labels;  ///< of each file, -1: unknown; empty without labels
  /// The numbers of all classes that are right of each file, ascending (nothing: unknown), where several may be; else
  /// empty, and `labels` has the one.
  std::vector<std::optional<std::vector<std::int64_t>>> several;
  std::vector<std::optional<std::string>> texts;  ///< what is said in each file; empty where no list tells it
  std::string labels_from;                        ///< "the names of folders", "labels.csv"; "" without labels
  std::string numbered;            ///< how names became numbers (labels/class_numbers.h); "" where they were some
  std::string read_as;             ///< how the list was read, where that is not plain (data/sets/label_list.h)
  std::int64_t taken_as_none = 0;  ///< files whose label is -1
  std::size_t listed = 0;          ///< names in the list of labels
  std::vector<std::string> listed_elsewhere;  ///< those that are none of these files
  NameTable other;                         ///< files that are none, by their ending: lists of labels are not among them
  std::vector<PassedOver> passed_over;     ///< folders, and links that by their ending might be such files
  std::vector<std::string> label_folders;  ///< where folders are labels: those
  std::vector<std::string> empty_folders;  ///< where folders are labels: those that hold no file, and are no class
  std::string no_folders;                  ///< why folders of sounds are no labels, where they might be; or ""
};

/// All files of the folder and of those in it (data/sets/folder_walk.h). Endings tell what may be one of the kind;
/// whether it is one, its bytes do, when it is read.
///
/// Labels come from `labels` (a .csv or .jsonl, data/sets/label_list.h), from labels.csv or labels.jsonl in the folder,
/// or from the names of folders, where all files lie in folders, and these are at least two. Where `labels` is a
/// folder, there are none, and what lies in it is no file of the set. Which class each is: labels/class_numbers.h,
/// with the names of `classes`, else of `classes.txt` in the folder (one name a line). Where folders are labels, one
/// that cannot be read is an error: without it the others would be other classes. Folders of sounds are no labels where
/// `classes` does not name them, for then these may be characters. A list that has words of sounds under `text` needs
/// no labels. Errors name file and line.
Result<LabelledFiles> list_files(const FileKind& kind, const std::filesystem::path& folder,
                                 const std::filesystem::path& labels = {},
                                 const std::vector<std::string>& classes = {});

/// Does a folder hold such a file, itself or in its folders? false where it cannot be read; true where a link leads to
/// more than is looked at, for then list_files says so.
bool has_files(const FileKind& kind, const std::filesystem::path& folder);

}  // namespace culprit
