#pragma once
// Which framework's file a model is. That tells who can run it.

#include <filesystem>
#include <string_view>

namespace culprit {

enum class ModelFormat { onnx, tflite, saved_model, frozen_graph, keras };

/// By content: "TFL3" at byte 4 is TFLite; a folder with saved_model.pb in it, or that file, is a SavedModel; a file
/// whose name ends in .pb and whose outermost fields are those of TensorFlow's GraphDef is a frozen graph; a zip
/// archive whose name ends in .keras, or an HDF5 file whose name ends in .keras, .h5 or .hdf5, is of Keras. All else is
/// ONNX, also what cannot be read: the loader says what is wrong with it. Reads the first bytes only, but of a .pb the
/// head of each outermost field.
ModelFormat format_of(const std::filesystem::path& path);

/// "ONNX", "TFLite", "SavedModel", "frozen graph", "Keras": for messages.
std::string_view name_of(ModelFormat format);

}  // namespace culprit
