#include "app/hub_index.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "base/lower_case.h"
#include "base/text.h"
#include "base/utf8.h"
#include "hub/promised_file.h"
#include "model/model.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* archive_ending = ".tar.gz";

std::int64_t opset_of(const ModelFacts& facts) {
  const auto opset = facts.opsets.find("");
  return opset == facts.opsets.end() ? 0 : opset->second;
}

/// "float32" is "tensor(float)" in manifests.
std::string port_type(DType type) {
  const std::string_view name = name_of(type);
  return "tensor(" + std::string(name == "float32" ? "float" : name == "float64" ? "double" : name) + ")";
}

std::vector<HubPort> ports_of(const std::vector<ValueInfo>& values) {
  std::vector<HubPort> ports;
  ports.reserve(values.size());
  for (const ValueInfo& value : values) {
    HubPort port{value.name, {}, port_type(value.dtype)};
    for (const Dim& size : value.dims) port.shape.push_back(size.value ? std::to_string(*size.value) : size.name);
    ports.push_back(std::move(port));
  }
  return ports;
}

/// "vision/classification/model/resnet.onnx" -> vision, classification.
std::vector<std::string> tags_of(const fs::path& path) {
  std::vector<std::string> tags;
  for (const fs::path& folder : path.parent_path())
    if (folder != "model" && folder != "models") tags.push_back(folder.string());
  return tags;
}

std::string first_name(const fs::path& path) {
  const bool says_nothing = path.stem() == "model" && path.has_parent_path();
  return says_nothing ? path.parent_path().filename().string() : path.stem().string();
}

/// Folders such as .culprit and .git are nobody's models.
bool is_hidden(const fs::path& path) {
  return std::ranges::any_of(path, [](const fs::path& part) { return part.string().starts_with('.'); });
}

/// What one cannot tell apart by name and opset is called by its whole path.
void name_apart(std::vector<HubModel>& models) {
  std::map<std::pair<std::string, std::int64_t>, int> counts;  // the case of letters does not count in a hub
  for (const HubModel& model : models) ++counts[{lower_case(model.name), model.opset}];
  for (HubModel& model : models)
    if (counts[{lower_case(model.name), model.opset}] > 1)
      model.name = fs::path(model.file.path).replace_extension().string();
}

class ModelIndexer {
 public:
  ModelIndexer(const fs::path& folder, const std::vector<HubModel>& before) : folder_(folder) {
    for (const HubModel& model : before) before_.emplace(model.file.path, &model);
  }

  Result<HubModel> entry_of(const fs::path& file) const {
    const fs::path path = file.lexically_relative(folder_);
    if (!is_utf8(path.native())) return fail(ErrorKind::unsupported, "its name is no UTF-8", "rename it");
    if (const auto inside = path_inside(folder_, path.native()); !inside) return tl::unexpected(inside.error());
    const auto loaded = load_model(file);
    if (!loaded) return tl::unexpected(loaded.error());
    HubModel model{first_name(path), {path.generic_string(), "", {}}};
    const auto archive = archive_of(file);
    if (!archive) return tl::unexpected(archive.error());
    model.with_data = *archive;
    if (loaded->has_external_data && !model.with_data)
      return fail(ErrorKind::unsupported, "its weights lie in other files, and a hub gives one",
                  "pack all of them into " + path.stem().string() + archive_ending);
    auto digest = sha256_of_file(file);
    if (!digest) return tl::unexpected(digest.error());
    model.file.sha256 = std::move(*digest);
    model.file.bytes = fs::file_size(file);
    model.opset = opset_of(loaded->facts);
    model.inputs = ports_of(loaded->interface.inputs);
    model.outputs = ports_of(loaded->interface.outputs);
    model.tags = tags_of(path);
    if (const auto known = before_.find(model.file.path); known != before_.end()) {
      model.name = known->second->name;
      model.tags = known->second->tags;
      model.onnx_version = known->second->onnx_version;
    }
    return model;
  }

 private:
  [[nodiscard]] Result<std::optional<HubFile>> archive_of(const fs::path& file) const {
    fs::path archive = file;
    archive.replace_extension(archive_ending);
    std::error_code error;
    if (!fs::is_regular_file(archive, error)) return std::nullopt;
    auto digest = sha256_of_file(archive);
    if (!digest) return tl::unexpected(digest.error());
    return HubFile{archive.lexically_relative(folder_).generic_string(), std::move(*digest), fs::file_size(archive)};
  }

  const fs::path& folder_;
  std::map<std::string, const HubModel*> before_;
};

}  // namespace

Result<HubIndex> index_of_models(const fs::path& folder, const std::vector<HubModel>& before,
                                 const IndexProgress& progress, const Stop& stop) {
  std::error_code error;
  if (!fs::is_directory(folder, error))
    return fail(ErrorKind::not_found, printable(folder.string(), 300) + " is no folder", "name one with models in it");
  auto files = files_below(folder);
  if (!files) return tl::unexpected(files.error());
  std::erase_if(*files, [&](const fs::path& file) {
    return file.extension() != ".onnx" || is_hidden(file.lexically_relative(folder));
  });
  if (files->empty())
    return fail(ErrorKind::not_found, printable(folder.string(), 300) + " has no .onnx file in it or below",
                "name the folder that the models are in");
  const ModelIndexer indexer(folder, before);
  HubIndex index;
  index.models.reserve(files->size());
  for (const fs::path& file : *files) {
    if (is_stopped(stop)) return fail(ErrorKind::interrupted, "interrupted: no manifest was written");
    const std::string path = file.lexically_relative(folder).generic_string();
    if (progress) progress(index.models.size() + index.skipped.size(), files->size(), path);
    auto model = indexer.entry_of(file);
    if (model)
      index.models.push_back(std::move(*model));
    else if (model.error().kind == ErrorKind::io)
      return tl::unexpected(model.error());
    else
      index.skipped.push_back(printable(path, 200) + ": " + model.error().text());
  }
  name_apart(index.models);
  return index;
}

Result<void> expect_as_promised(const HubModel& model, const fs::path& file) {
  const auto digest = promised_digest(file, model.file);
  if (!digest) return tl::unexpected(digest.error());
  if (auto ok = expect_promised_bytes(file, model.file, file.string()); !ok) return ok;
  const auto loaded = load_model(file);
  if (!loaded) return tl::unexpected(loaded.error());
  const std::int64_t opset = opset_of(loaded->facts);
  if (model.opset > 0 && opset > 0 && opset != model.opset)
    return fail(ErrorKind::bad_input, printable(file.string(), 300) + " is of opset " + std::to_string(opset) +
                                          ", and the manifest says " + std::to_string(model.opset));
  return {};
}

}  // namespace culprit
