#pragma once
// A repro: a folder that shows one fault to whoever has Python and four public packages, and that can be posted.
//
//   model.onnx            the model, with its weights in it or beside it
//   variant.onnx          what the passes made of it, where they made anything
//   test_data_set_0/      input_N.pb, and output_N.pb: the model's own outputs at the reference's level; the layout of
//                         ONNX's backend tests, https://github.com/onnx/onnx/tree/main/onnx/backend/test
//   repro.json            what failed and by what it was judged (repro/repro_json.h)
//   repro.py              exits 1 while the fault is there, 0 when it is gone, 2 when it cannot tell
//   README.md             an issue text, ready to post

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "model/model.h"
#include "repro/repro_json.h"
#include "tensor/tensor.h"

namespace culprit {

struct ReproContents {
  ReproFacts facts;               ///< without `inputs`, `outputs`, `model`, `variant`: those are told by the rest
  std::filesystem::path model;    ///< with its weights in it or beside it
  std::filesystem::path variant;  ///< "" where none was made
  std::vector<NamedTensor> inputs, outputs;         ///< of one sample, by name, parts of one value behind each other
  std::vector<std::string> diff;                    ///< lines that show the rewrite; empty where it is not known
  std::vector<std::filesystem::path> scripts = {};  ///< that a program's call names; they go into "program"
  std::string first_divergence = {};  ///< where the values of the model it was found in part first; "" where unknown
};

/// Writes the folder beside its place and renames it; what was there goes. The bytes of placed weights
/// (model/placed_weights.h) are hard links where the file system has them, others copies. Errors as of reading and
/// writing models.
Result<void> write_bundle(const ReproContents& contents, const std::filesystem::path& folder);

/// Could `write_bundle` have written this file? By its name, and those of its folders; a bundle has a repro.json.
bool is_file_of_bundle(const std::filesystem::path& file);

/// A bundle as it was read: its facts, and its model.
struct Bundle {
  std::filesystem::path folder;
  ReproFacts facts;
  Model model;
};
/// The folder of a repro; `path` may name its repro.json too. ErrorKind::not_found where nothing is there, bad_input
/// for another file.
Result<std::filesystem::path> repro_folder(const std::filesystem::path& path);
/// Errors are those of repro_folder; bad_input where it is no bundle.
Result<Bundle> read_bundle(const std::filesystem::path& path);

}  // namespace culprit
