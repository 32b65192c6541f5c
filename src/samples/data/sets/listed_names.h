#pragma once
// Which file a name in a list stands for. Lists come from other machines: with folders before the names, from the
// root, with Windows' separators, or without endings.

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "base/name_table.h"

namespace culprit {

/// Has it the ending of a picture (.jpg .jpeg .png .gif .webp .bmp .ppm .pgm .pbm, in any case)?
bool may_be_picture(std::string_view name);

/// For each file (a name below `folder`) the place of the entry that stands for it. The first of these that holds:
/// the entry is its name, "./" and the folder before it left out; it ends with its name, at least one folder in it
/// ("/data/cat/1.png" for cat/1.png); both end with the same file, and no other entry and no other file does
/// ("val2017/x.jpg" for x.jpg, "b.png" for sub/b.png). Of entries without an ending of such files (`may_be_one`)
/// the same, the files without theirs. Where two entries have the same claim, none stands for the file.
std::vector<std::optional<std::size_t>> entries_of_files(const std::vector<std::string_view>& entries,
                                                         const NameTable& files, const std::filesystem::path& folder,
                                                         bool (*may_be_one)(std::string_view) = may_be_picture);

}  // namespace culprit
