#pragma once
// Nodes that draw random numbers by a seed. Their generator goes on with each run of a session: the second run gives
// other numbers than the first. What is to be compared must have the same place in its session.

#include <filesystem>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Is there a node of any domain with an attribute `seed`? Graphs inside and functions are looked at, too.
bool has_seeded_nodes(const onnx::ModelProto& model);

/// Asks it of the model in a file. False where the file is no ONNX model, or cannot be read. A file in which the word
/// "seed" does not stand is not parsed.
bool has_seeded_nodes(const std::filesystem::path& file);

}  // namespace culprit
