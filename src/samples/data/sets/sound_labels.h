#pragma once
// What is known of the sounds in a folder: a table with the columns file and text, or label.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "record/warning.h"

namespace culprit {

struct SoundLabels {
  std::map<std::string, std::string> texts = {};   ///< by file: what is said
  std::map<std::string, std::string> labels = {};  ///< by file: a class
  std::string from = {};                           ///< the table's name
  std::vector<std::string> files = {};             ///< in the order of the lines
};

/// ErrorKind::bad_input for a table without these columns, or that cannot be read: the line.
Result<SoundLabels> read_sound_labels(const std::filesystem::path& table);

/// The entry of a sound goes by its path in the folder, by its last part, or by that without its ending; nullptr where
/// there is none.
const std::string* entry_of_sound(const std::map<std::string, std::string>& entries, const std::string& sound);

/// `labels_outside`: lines that name none of these sounds.
std::vector<Warning> warnings_of_sounds(const SoundLabels& labels, const std::vector<std::string>& sounds);

}  // namespace culprit
