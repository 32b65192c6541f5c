#include "data/data_beside.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/file.h"
#include "base/parent_folder.h"
#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"
#include "picture/read_preprocessing.h"

namespace culprit {
namespace {

constexpr const char* description_hint = "mend the file; docs/evaluating.md tells what may stand in it";

/// Looks at all that `top` leads to, and follows links as whoever reads the data does.
class Links {
 public:
  explicit Links(const fs::path& folder) : root_(fs::weakly_canonical(folder, error_)) {}

  /// The first that leads out of the folder; "" where none does. What cannot be read is left to whoever reads it.
  fs::path leading_out(const fs::path& top) {
    std::vector<fs::path> open{top};
    while (!open.empty()) {
      fs::path at = std::move(open.back());
      open.pop_back();
      if (fs::is_symlink(fs::symlink_status(at, error_)) && !is_inside(at)) return at;
      const fs::path real = fs::canonical(at, error_);
      if (error_ || !fs::is_directory(real, error_) || !seen_.insert(real).second) continue;
      for (fs::directory_iterator entry(at, error_), end; !error_ && entry != end; entry.increment(error_))
        open.push_back(entry->path());
    }
    return {};
  }

 private:
  /// A link to nothing leads nowhere.
  [[nodiscard]] bool is_inside(const fs::path& link) {
    const fs::path inside = fs::weakly_canonical(link, error_).lexically_relative(root_);
    return !error_ && !inside.empty() && *inside.begin() != "..";
  }

  std::error_code error_;
  const fs::path root_;
  std::set<fs::path> seen_;
};

/// "" where the key is not there.
fs::path place_at(const YAML::Node& root, const char* key, const fs::path& folder) {
  const std::string text = text_at(root, key);
  if (text.empty()) return {};
  const std::string where = fmt::format("{}'{}': ", line_of(root[key]), key);
  const auto place = path_inside(folder, text);
  if (!place) throw YamlFault(where + place.error().message);
  std::error_code ignored;
  if (!fs::exists(*place, ignored)) throw YamlFault(where + "there is no " + printable(place->string()));
  if (const fs::path link = Links(folder).leading_out(*place); !link.empty())
    throw YamlFault(where + printable(link.string()) + " is a link that leads out of the model's folder");
  return *place;
}

DataSetOptions read(const YAML::Node& root, const fs::path& folder, DataSetOptions options) {
  if (!root.IsMap()) return options;
  expect_description_keys(root);
  fs::path data = place_at(root, "data", folder), labels = place_at(root, "labels", folder);
  if (data.empty() && !labels.empty()) throw YamlFault(line_of(root["labels"]) + "'labels' without 'data'");
  options.data.data = std::move(data);
  if (options.labels.empty()) options.labels = std::move(labels);
  return options;
}

}  // namespace

Result<std::optional<DescriptionBeside>> description_beside(const Model& model) {
  const fs::path folder = parent_folder(model.path), file = folder / "culprit.yaml";
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) return std::nullopt;
  auto text = read_file(file, largest_description);
  if (!text) return tl::unexpected(text.error());
  return DescriptionBeside{std::move(*text), printable(file.string()), folder};
}

Result<DataSetOptions> with_data_beside(const Model& model, DataSetOptions options) {
  if (!options.data.data.empty()) return options;
  const auto beside = description_beside(model);
  if (!beside) return tl::unexpected(beside.error());
  if (!*beside) return options;
  const DescriptionBeside& told = **beside;
  return read_yaml(told.where, description_hint, [&]() -> Result<DataSetOptions> {
    const YAML::Node root = YAML::Load(told.text);
    const bool is_of_model =
        root.IsMap() && std::ranges::any_of(description_keys, [&](const char* key) { return root[key].IsDefined(); });
    if (root.IsMap() && root.size() > 0 && !is_of_model) {  // then it is all about how images are prepared
      if (const auto prepared = read_preprocessing(told.text, told.where); !prepared)
        return tl::unexpected(prepared.error());
    }
    return read(YAML::Load(told.text), told.folder, std::move(options));
  });
}

}  // namespace culprit
