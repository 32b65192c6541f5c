#pragma once
// How people call the file and the label of a line, in headings and as keys; the likelier first.

#include <array>
#include <string_view>

namespace culprit {

inline constexpr std::array<std::string_view, 13> file_words = {
    "file",      "image",      "path",     "filename", "file_name", "image_path", "img_path",
    "file_path", "image_name", "filepath", "img",      "image_id",  "id"};
inline constexpr std::array<std::string_view, 9> label_words = {
    "label", "class", "category", "labels", "target", "class_id", "label_id", "class_name", "tags"};

}  // namespace culprit
