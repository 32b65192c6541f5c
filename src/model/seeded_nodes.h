#pragma once
// Nodes that draw random numbers by a seed. Their generator goes on with each run of a session: the second run gives
// other numbers than the first. What is to be compared must have the same place in its session.

#include <filesystem>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// A node of any domain with an attribute `seed`, in graphs inside and in functions too.
bool has_seeded_nodes(const onnx::ModelProto& model);

/// Of a file. False where it is no ONNX model, or cannot be read. Cheap where there are none: then nothing is parsed.
bool has_seeded_nodes(const std::filesystem::path& file);

}  // namespace culprit
