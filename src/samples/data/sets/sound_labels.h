#pragma once
// What is known of the sounds in a folder: a table with the columns file and text, or label.

#include <filesystem>
#include <map>
#include <string>

#include "base/error.h"

namespace culprit {

struct SoundLabels {
  std::map<std::string, std::string> texts = {};   ///< by file: what is said
  std::map<std::string, std::string> labels = {};  ///< by file: a class
  std::string from = {};                           ///< the table's name
};

/// ErrorKind::bad_input for a table without these columns, or that cannot be read: the line.
Result<SoundLabels> read_sound_labels(const std::filesystem::path& table);

}  // namespace culprit
