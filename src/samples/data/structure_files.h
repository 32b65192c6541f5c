#pragma once
// Sequences, maps and optionals that lie in files.

#include <filesystem>
#include <string>
#include <vector>

#include "data/random_structures.h"

namespace culprit {

/// A .pb of a test_data_set: a TensorProto, SequenceProto, MapProto or OptionalProto, as declared. In parts; an error
/// where it does not fit the declaration.
Result<std::vector<NamedTensor>> read_input_file(const std::filesystem::path& path, const ValueInfo& declared);

/// What --input gives for such an input: a .pb, an .npz or the word none. Errors are ErrorKind::usage or the file's
/// own.
Result<std::vector<NamedTensor>> structured_argument(const std::string& text, const ValueInfo& declared);

}  // namespace culprit
