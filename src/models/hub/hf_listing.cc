#include "hub/hf_listing.h"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/meant_word.h"
#include "base/text.h"

namespace culprit {
namespace {

using HfJson = nlohmann::json;

std::string hf_digits(const HfJson& json, const char* key, std::size_t count) {
  std::string text = text_in(json, key);
  const bool is_one = text.size() == count && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_one ? text : "";
}

HfFile hf_file(const HfJson& sibling) {
  constexpr std::size_t sha256_digits = 64, git_digits = 40;
  HfFile file{text_in(sibling, "rfilename")};
  const HfJson& large = object_in(sibling, "lfs");
  file.sha256 = hf_digits(large, "sha256", sha256_digits);
  if (large.empty()) file.git_id = hf_digits(sibling, "blobId", git_digits);
  const HfJson& bytes = field_in(large.contains("size") ? large : sibling, "size");
  if (bytes.is_number_unsigned()) file.bytes = bytes.get<std::uint64_t>();
  return file;
}

std::vector<std::string> onnx_files_of(const std::vector<std::string>& paths) {
  std::vector<std::string> models;
  std::ranges::copy_if(paths, std::back_inserter(models), [](const std::string& path) {
    return path.ends_with(".onnx") && !path.starts_with('.') && !contains(path, "/.");
  });
  std::ranges::sort(models);
  return models;
}

tl::unexpected<Error> could_be_several(const HfName& name, const std::vector<std::string>& models) {
  constexpr std::size_t most = 20;
  std::vector<std::string> told;
  for (const std::string& model : models)
    if (told.size() < most) told.push_back(printable(model, 200));
  if (models.size() > most) told.emplace_back("...");
  return fail(ErrorKind::usage,
              word_of(name) + " has " + counted(static_cast<std::int64_t>(models.size()), "file") +
                  " that could be meant: " + join(told, ", "),
              "name one: " + word_of({name.repository, name.revision, told.front()}));
}

/// "_data", "_data_3", ".data".
bool is_end_of_weights(std::string_view end) {
  constexpr std::string_view counted_data = "_data_";
  if (is_one_of(end, {"_data", ".data"})) return true;
  return end.size() > counted_data.size() && end.starts_with(counted_data) &&
         end.find_first_not_of("0123456789", counted_data.size()) == std::string_view::npos;
}

}  // namespace

Result<HfListing> hf_listing_of(std::string_view text, const std::string& where) {
  const HfJson json = HfJson::parse(text, nullptr, false);
  constexpr std::size_t commit_digits = 40;
  HfListing listing{text_in(json, "id"), hf_digits(json, "sha", commit_digits), {}};
  if (listing.commit.empty() || !field_in(json, "siblings").is_array())
    return fail(ErrorKind::bad_input, printable(where, 300) + " does not tell the files of a model",
                "HF_ENDPOINT names a server of the Hugging Face hub");
  if (const auto named = hf_name_of("hf:" + listing.repository); !named || named->repository != listing.repository)
    listing.repository.clear();
  for (const HfJson& sibling : list_in(json, "siblings")) {
    listing.files.push_back(hf_file(sibling));
    if (const std::string& path = listing.files.back().path; !is_path_of_names(path))
      return fail(ErrorKind::bad_input,
                  printable(where, 300) + " names a file outside of the repository: '" + printable(path, 200) + "'");
  }
  return listing;
}

Result<std::string> hf_file_meant(const HfName& name, const std::vector<std::string>& paths) {
  if (!name.file.empty()) {
    if (std::ranges::find(paths, name.file) != paths.end()) return name.file;
    const std::string near = did_you_mean(name.file, paths);
    return fail(ErrorKind::not_found, printable(word_of({name.repository, name.revision}), 300) + " has no file " +
                                          printable(name.file, 200) + printable(near, 300));
  }
  const std::vector<std::string> models = onnx_files_of(paths);
  if (models.empty())
    return fail(ErrorKind::not_found, word_of(name) + " has no .onnx file",
                "another model of its name may have one: see https://huggingface.co/models?library=onnx");
  if (models.size() == 1) return models.front();
  for (const char* usual : {"onnx/model.onnx", "model.onnx"})
    if (std::ranges::find(models, usual) != models.end()) return usual;
  return could_be_several(name, models);
}

std::vector<std::string> hf_weights_of(const std::string& path, const std::vector<std::string>& paths) {
  const std::string stem = std::filesystem::path(path).replace_extension().generic_string();
  std::vector<std::string> weights;
  std::ranges::copy_if(paths, std::back_inserter(weights), [&](const std::string& other) {
    if (other == path) return false;
    if (other.starts_with(path) && is_end_of_weights(std::string_view(other).substr(path.size()))) return true;
    return is_one_of(other, {stem + ".data", stem + ".bin", stem + ".weights"});
  });
  return weights;
}

}  // namespace culprit
