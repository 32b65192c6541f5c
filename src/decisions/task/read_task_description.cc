#include "task/read_task_description.h"

#include <algorithm>
#include <array>

#include "base/file.h"
#include "base/read_yaml.h"
#include "base/yaml_fields.h"
#include "task/choose_task.h"

namespace culprit {
namespace {

constexpr std::uint64_t largest_list = std::uint64_t{64} << 20, largest_detector = std::uint64_t{1} << 20;
constexpr std::size_t most_classes = 1'000'000, longest_class = 200;

std::string task_in(const YAML::Node& root) {
  std::string name = text_at(root, "task");
  const auto tasks = task_names();
  if (name.empty() || name == "auto" || std::ranges::find(tasks, name) != tasks.end()) return name;
  const std::string near = closest(name, tasks);
  throw YamlFault(fmt::format("{}there is no task '{}'; {}", line_of(root["task"]), printable(name, 60),
                              near.empty() ? "there are " + join(tasks, ", ") : "did you mean '" + near + "'?"));
}

std::string text_of_file(const YAML::Node& node, const char* key, const fs::path& folder, std::uint64_t largest) {
  const auto file = path_inside(folder, node.Scalar());
  if (!file) throw YamlFault(fmt::format("{}'{}': {}", line_of(node), key, file.error().text()));
  auto text = read_file(*file, largest);
  if (!text) throw YamlFault(fmt::format("{}'{}': {}", line_of(node), key, text.error().text()));
  return std::move(*text);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (const std::string& line : split(text, '\n')) lines.emplace_back(trim(line));
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  return lines;
}

std::vector<std::string> classes_in(const YAML::Node& root, const fs::path& folder) {
  const YAML::Node node = root["classes"];
  if (!node.IsDefined() || node.IsNull()) return {};
  std::vector<std::string> classes;
  if (node.IsScalar()) classes = lines_of(text_of_file(node, "classes", folder, largest_list));
  if (node.IsSequence()) {
    for (const YAML::Node& name : node) {
      if (!name.IsScalar()) throw YamlFault(line_of(name) + "'classes' must be a list of names, or a file");
      classes.push_back(name.Scalar());
    }
  }
  if (classes.empty() || classes.size() > most_classes)
    throw YamlFault(line_of(node) +
                    "'classes' must be a list of names such as [cat, dog], or a file with a name a line");
  for (std::string& name : classes) name = printable(name, longest_class);
  return classes;
}

std::optional<DetectorSpec> detector_in(const YAML::Node& root, const fs::path& folder) {
  const std::string name = text_at(root, "detector");
  if (name.empty()) return std::nullopt;
  std::vector<std::string> names;
  for (DetectorSpec& preset : preset_detectors()) {
    if (preset.name == name) return std::move(preset);
    names.push_back(preset.name);
  }
  const YAML::Node node = root["detector"];
  if (!name.ends_with(".yaml") && !name.ends_with(".yml")) {
    const std::string near = closest(name, names);
    throw YamlFault(fmt::format("{}there is no detector '{}'; {}", line_of(node), printable(name, 60),
                                near.empty() ? "there are " + join(names, ", ") + ", or a file that ends with .yaml"
                                             : "did you mean '" + near + "'?"));
  }
  auto spec = read_detector_spec(text_of_file(node, "detector", folder, largest_detector), printable(name, 100));
  if (!spec) throw YamlFault(spec.error().message);
  return std::move(*spec);
}

TaskDescription read(const YAML::Node& root, const fs::path& folder) {
  TaskDescription description;
  if (!root.IsMap()) return description;
  if (root["comparator"].IsDefined())
    throw YamlFault(
        line_of(root["comparator"]) +
        "'comparator' cannot stand here: a file beside a model starts no program; give --comparator PROGRAM");
  expect_description_keys(root);
  description.task = task_in(root);
  description.classes = classes_in(root, folder);
  description.detector = detector_in(root, folder);
  if (description.task.empty() && description.detector) description.task = "detection";
  return description;
}

}  // namespace

Result<TaskDescription> read_task_description(const std::string& text, const std::string& where,
                                              const fs::path& folder) {
  constexpr const char* hint = "docs/decisions.md tells what it may say of a task";
  return read_yaml(where, hint, [&] { return read(YAML::Load(text), folder); });
}

bool describes_task(const std::string& text) {
  try {
    const YAML::Node root = YAML::Load(text);
    return root.IsMap() && std::ranges::any_of(description_keys, [&](const std::string& key) {
             return key != "preprocess" && root[key].IsDefined();
           });
  } catch (const YAML::Exception&) {
    return false;
  }
}

}  // namespace culprit
