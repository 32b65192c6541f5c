#pragma once
// Which files a repository of the Hugging Face hub has at a revision, as its server tells it; it is untrusted.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "hub/hf_name.h"

namespace culprit {

struct HfFile {
  std::string path;         ///< from the root of the repository; is_path_of_names
  std::string sha256 = {};  ///< of files in the large storage: 64 lower-case hex digits; else ""
  std::string git_id = {};  ///< of all others: 40 lower-case hex digits (git_blob_name); else ""
  std::optional<std::uint64_t> bytes = {};
};

struct HfListing {
  std::string repository;  ///< as it is called now; "" where the server says none, or no such name
  std::string commit;      ///< is_hf_commit
  std::vector<HfFile> files;
};

/// `where` is what complaints call the text. ErrorKind::bad_input for a text that is no listing, and for a path that
/// leaves the repository.
Result<HfListing> hf_listing_of(std::string_view text, const std::string& where);

/// The path of the model that `name` means, of all that there are. Where it names no file: the only .onnx, else
/// onnx/model.onnx or model.onnx. Errors: not_found with the closest path; usage where several could be meant.
Result<std::string> hf_file_meant(const HfName& name, const std::vector<std::string>& paths);

/// Those that lie beside the model `path` and are named as exporters name the files of its weights: model.onnx_data,
/// model.onnx_data_1, model.onnx.data, model.data, model.bin, model.weights.
std::vector<std::string> hf_weights_of(const std::string& path, const std::vector<std::string>& paths);

}  // namespace culprit
