#pragma once
// Kinds of files that labels are known of: how people call them, and which files are some.

#include <string>
#include <string_view>

namespace culprit {

struct FileKind {
  std::string one, many;                                ///< "image", "images"
  bool (*may_be_one)(std::string_view name) = nullptr;  ///< by its ending
  bool has_words = false;                               ///< lists may tell what is said in them
};

const FileKind& picture_kind();
const FileKind& sound_kind();

}  // namespace culprit
