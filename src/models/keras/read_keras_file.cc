#include <algorithm>
#include <fstream>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "keras/hdf5_copy.h"
#include "keras/keras_config.h"
#include "keras/keras_model.h"
#include "keras/keras_weights.h"
#include "tensor/zip.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_json = UINT64_C(32) << 20U;

Error located(const fs::path& path, Error error) {
  error.message = printable(path.string()) + ": " + error.message;
  return error;
}

/// No member is written anywhere, yet a name that climbs out of its folder tells a forged archive.
bool is_plain_name(const std::string& name) {
  if (name.empty() || name.starts_with("/") || contains(name, "\\")) return false;
  const auto parts = split(name, '/');
  return std::ranges::find(parts, "..") == parts.end();
}

class KerasArchive {
 public:
  explicit KerasArchive(ZipArchive archive) : archive_(std::move(archive)) {}

  Result<void> check_names() const {
    std::set<std::string_view> names;
    for (const ZipMember& one : archive_.members()) {
      if (!is_plain_name(one.name))
        return fail(ErrorKind::bad_input, "it names a file outside of itself: " + printable(one.name, 200));
      if (!names.insert(one.name).second)
        return fail(ErrorKind::bad_input, "it holds two files of the name " + printable(one.name, 200));
    }
    return {};
  }

  Result<std::string> read(const std::string& name, std::uint64_t limit) {
    const auto member = std::ranges::find(archive_.members(), name, &ZipMember::name);
    if (member == archive_.members().end())
      return fail(ErrorKind::bad_input, "it holds no " + name, "A file of Keras has config.json and model.weights.h5");
    if (member->size > limit)
      return fail(ErrorKind::bad_input, "its " + name + " is larger than " + human_bytes(limit));
    return archive_.extract(*member);
  }

 private:
  ZipArchive archive_;
};

Result<Hdf5Copy> weights_in(KerasArchive& archive) {
  const auto bytes = archive.read("model.weights.h5", largest_inflated);
  if (!bytes) return tl::unexpected(bytes.error());
  auto weights = Hdf5Copy::of_bytes(*bytes);
  if (!weights) return fail(weights.error().kind, "its model.weights.h5: " + weights.error().message);
  return weights;
}

Result<KerasFile> read_archive(const fs::path& path, const KerasOptions& options) {
  auto opened = ZipArchive::open_file(path);
  if (!opened) return tl::unexpected(opened.error());
  KerasArchive archive(std::move(*opened));
  if (auto ok = archive.check_names(); !ok) return tl::unexpected(ok.error());
  const auto text = archive.read("config.json", largest_json);
  if (!text) return tl::unexpected(text.error());
  const auto config = parse_keras_json(*text);
  if (!config) return tl::unexpected(config.error());
  auto model = model_of_config(*config, options);
  if (!model) return tl::unexpected(model.error());
  KerasFile file{path.string(), "", std::move(*model)};
  if (const auto told = archive.read("metadata.json", largest_json))
    if (const auto metadata = parse_keras_json(*told)) file.keras_version = word_in(*metadata, "keras_version");
  auto weights = weights_in(archive);
  if (!weights) return tl::unexpected(weights.error());
  if (auto ok = add_weights_by_group(file.model, *weights); !ok) return tl::unexpected(ok.error());
  return file;
}

Result<KerasFile> read_hdf5(const fs::path& path, const KerasOptions& options) {
  auto opened = Hdf5Copy::of_file(path);
  if (!opened) return tl::unexpected(opened.error());
  const auto text = opened->texts("", "model_config");
  if (!text || text->size() != 1)
    return fail(ErrorKind::unsupported, "it holds weights and no model (it has no attribute model_config)",
                "Save the whole model with 'model.save'");
  const auto config = parse_keras_json(text->front());
  if (!config) return tl::unexpected(config.error());
  auto model = model_of_config(*config, options);
  if (!model) return tl::unexpected(model.error());
  KerasFile file{path.string(), "", std::move(*model)};
  if (const auto version = opened->texts("", "keras_version"); version && version->size() == 1)
    file.keras_version = version->front();
  if (auto ok = add_weights_by_name(file.model, *opened); !ok) return tl::unexpected(ok.error());
  return file;
}

}  // namespace

Result<KerasFile> read_keras_file(const fs::path& path, const KerasOptions& options) {
  std::error_code trouble;
  if (!fs::is_regular_file(path, trouble)) return fail(ErrorKind::not_found, printable(path.string()) + " is no file");
  std::string begin(8, '\0');
  if (!std::ifstream(path, std::ios::binary).read(begin.data(), 8))
    return fail(ErrorKind::bad_input, printable(path.string()) + ": it is too short for a model of Keras");
  const bool is_archive = begin.starts_with("PK"), is_hdf5 = begin == "\x89HDF\r\n\x1a\n";
  if (!is_archive && !is_hdf5)
    return fail(ErrorKind::bad_input, printable(path.string()) + ": it is neither a .keras nor an .h5 of Keras");
  auto file = is_archive ? read_archive(path, options) : read_hdf5(path, options);
  if (!file) return tl::unexpected(located(path, std::move(file.error())));
  return file;
}

}  // namespace culprit
