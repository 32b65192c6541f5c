#pragma once
// How people call the file and the label of a line, in headings and as keys; the likelier first.

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace culprit {

inline constexpr std::array<std::string_view, 16> file_words = {
    "file",       "image",    "path", "filename", "file_name",  "image_path", "img_path", "file_path",
    "image_name", "filepath", "img",  "audio",    "audio_path", "image_id",   "id",       "name"};
inline constexpr std::array<std::string_view, 9> label_words = {
    "label", "class", "category", "labels", "target", "class_id", "label_id", "class_name", "tags"};
inline constexpr std::array<std::string_view, 4> said_words = {"text", "sentence", "transcript", "transcription"};

/// What is read of each line beside the file.
struct WantedColumn {
  std::span<const std::string_view> words;
  std::string what;            ///< for messages: "label"
  bool is_plain_text = false;  ///< with any character, or none; else there may be several, with `|` between them
};

inline WantedColumn label_column() { return {label_words, "label"}; }
inline WantedColumn said_column() { return {said_words, "text", true}; }

}  // namespace culprit
