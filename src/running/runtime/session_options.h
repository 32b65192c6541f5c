#pragma once
// How a model is loaded and run.

#include <filesystem>
#include <string>
#include <vector>

#include "runtime/level.h"

namespace culprit {

struct SessionOptions {
  Level level = Level::off;
  int threads = 1;                                ///< intra-op threads; with two, sums are added in another order
  std::vector<std::filesystem::path> custom_ops;  ///< libraries with custom operators; loading one runs its code
  std::filesystem::path save_optimized_to;        ///< "" or where the runtime writes the model as it will run it
  std::vector<std::string> disabled_steps = {};   ///< of its optimizations, by their registered names
  /// "" or how the path of a profile begins: the runtime adds a date and ".json". It writes while it runs, a million
  /// events at most, so what runs with a profile on is never used for timing.
  std::filesystem::path profile_to = {};
  /// What gets the nodes that it knows, "CUDA", by the names of Runner::providers; the CPU gets the others. "": the CPU
  /// gets all.
  std::string provider = {};
  /// The folder in which the files of the model's external data lie; "": beside the model.
  std::filesystem::path data_folder = {};
  /// Inner values as outputs, instead of those of the model: tensors of a graph of TensorFlow ("conv/Relu:0"), layers
  /// of Keras ("conv", "block/conv"; "lstm:1" for the second value that a layer gives). Outputs have these names.
  /// Runners of other kinds know none.
  std::vector<std::string> fetch = {};
  /// Tensors of a graph of TensorFlow ("conv/Relu:0") that are given in the place of being computed: they are inputs
  /// beside those of the model, by these names, and each run must give them. A tensor that is fetched as well is what
  /// was given. Runners of other kinds know none.
  std::vector<std::string> feed = {};
  /// May a model of TensorFlow or Keras run code and touch files? Else what can do so is refused, and named.
  bool trusted = false;
};

}  // namespace culprit
