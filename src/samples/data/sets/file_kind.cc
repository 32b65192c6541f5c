#include "data/sets/file_kind.h"

#include "data/sets/listed_names.h"
#include "sound/read_sound.h"

namespace culprit {

const FileKind& picture_kind() {
  static const FileKind kind{"image", "images", may_be_picture, false};
  return kind;
}

const FileKind& sound_kind() {
  static const FileKind kind{"sound", "sounds", [](std::string_view name) { return is_sound_file(name); }, true};
  return kind;
}

}  // namespace culprit
