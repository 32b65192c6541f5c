#pragma once
// Makes the name of a new file outlive a power cut.

#include <filesystem>

namespace culprit {

/// Flushes the folder in which `file` lies, for a name is kept there. Some file systems cannot; that is no failure.
void flush_folder_of(const std::filesystem::path& file);

}  // namespace culprit
