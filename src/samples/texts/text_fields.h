#pragma once
// How columns of tables and fields of JSON are called, in data sets as people share them. Private to this room.

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace culprit {

inline constexpr std::array<std::string_view, 10> text_words{"text",   "sentence", "review", "content",   "document",
                                                             "prompt", "question", "input",  "sentence1", "source"};
inline constexpr std::array<std::string_view, 6> class_words{"label",    "sentiment",    "class",
                                                             "category", "target_label", "labels"};
inline constexpr std::array<std::string_view, 8> right_words{"target",     "answer",  "answers",   "continuation",
                                                             "completion", "summary", "reference", "output"};
inline constexpr std::array<std::string_view, 3> context_words{"context", "passage", "paragraph"};
inline constexpr std::array<std::string_view, 3> name_words{"id", "name", "qid"};

/// All of text_words, for messages.
inline std::string text_headings() {
  return join(std::vector<std::string>(text_words.begin(), text_words.end()), ", ");
}

}  // namespace culprit
