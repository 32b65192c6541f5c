#pragma once
// What lists and folders tell of one file, as tasks take it.

#include <cstdint>

#include "data/sets/labelled_files.h"
#include "task/task.h"

namespace culprit {

/// Its label, all that are right, or what is said in it. Without one it is empty.
Truth truth_of_file(const LabelledFiles& files, std::int64_t number);

/// Is something known of one file at least?
bool is_known(const LabelledFiles& files);

}  // namespace culprit
