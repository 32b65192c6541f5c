#include "optimizer/command/read_program_description.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/read_yaml.h"
#include "base/text.h"
#include "base/yaml_fields.h"

namespace culprit {
namespace {

using Words = std::vector<std::string>;

constexpr std::array top_keys{"name",    "about",   "command", "version", "packages", "python",  "environment",
                              "ordered", "network", "seconds", "steps",   "stays",    "options", "data"};
constexpr std::array step_keys{"names", "off", "list", "skip", "skip_all", "keep", "keep_none"};
constexpr std::array option_keys{"name", "values", "list", "words"};
constexpr std::size_t longest_name = 60;
constexpr double longest_time = 86400;  // seconds

/// A list of words; a text is one program line, cut at its spaces.
Words words_at(const YAML::Node& map, const char* key) {
  const YAML::Node node = map[key];
  Words words;
  if (!node.IsDefined() || node.IsNull()) return words;
  if (node.IsScalar()) {
    for (const std::string& word : split(node.Scalar(), ' '))
      if (!word.empty()) words.push_back(word);
    return words;
  }
  if (!node.IsSequence()) throw YamlFault(fmt::format("{}'{}' must be a list of words", line_of(node), key));
  for (const YAML::Node& word : node) {
    if (!word.IsScalar()) throw YamlFault(fmt::format("{}'{}' must be a list of words", line_of(word), key));
    words.push_back(word.Scalar());
  }
  return words;
}

double seconds_at(const YAML::Node& map) {
  if (text_at(map, "seconds").empty()) return 0;
  double seconds = 0;
  const bool is_number = YAML::convert<double>::decode(map["seconds"], seconds);
  if (!is_number || !std::isfinite(seconds) || seconds <= 0 || seconds > longest_time)
    throw YamlFault(line_of(map["seconds"]) + "'seconds' must be a number between 0 and 86400");
  return seconds;
}

void expect_distinct(const Words& names) {
  for (const std::string& name : names) {
    if (!can_name_a_step(name))
      throw YamlFault("the step '" + printable(name, 80) + "' has a name that cannot be a word of a command line");
    if (std::ranges::count(names, name) > 1) throw YamlFault("the step '" + name + "' is there twice");
  }
}

StepGroup group_of(const YAML::Node& map) {
  expect_keys(map, step_keys, "names: [fold, fuse]");
  StepGroup group{words_at(map, "names"),    words_at(map, "off"),  words_at(map, "list"),     words_at(map, "skip"),
                  words_at(map, "skip_all"), words_at(map, "keep"), words_at(map, "keep_none")};
  if (group.names.empty() && group.list.empty())
    throw YamlFault(line_of(map) + "these steps have neither 'names' nor a 'list' that prints them");
  if (group.skip.empty() && group.keep.empty())
    throw YamlFault(line_of(map) + "'skip' or 'keep' must tell how these steps are chosen");
  return group;
}

ProgramOption option_of(const YAML::Node& map, const std::string& folder) {
  expect_keys(map, option_keys, "name: weight_type");
  ProgramOption option{text_at(map, "name"), words_at(map, "values"), filled_in(words_at(map, "list"), "here", folder),
                       words_at(map, "words")};
  if (option.name.empty() || option.words.empty())
    throw YamlFault(line_of(map) + "an option has a 'name', and 'words' that are added to the command");
  if (option.values.empty() == option.list.empty())
    throw YamlFault(line_of(map) + "the option '" + printable(option.name, 60) +
                    "' has either 'values' or a 'list' that prints them");
  return option;
}

/// Names stand in reports, folders and command lines.
void expect_name(const std::string& name) {
  const auto is_plain = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '.';
  };
  if (name.empty() || name.size() > longest_name || !std::ranges::all_of(name, is_plain) || name.front() == '-')
    throw YamlFault("'name' must be a word of letters, digits, '_', '-' and '.', such as `name: onnxsim`");
}

/// A word in braces that is nearly one of ours is a typing mistake; others are the program's own.
void expect_placeholders(const Words& words, const char* key) {
  const Words known = {"input", "output", "choice", "steps", "step", "python", "here", "value", "data"};
  for (const std::string& word : words) {
    for (auto open = word.find('{'); open != std::string::npos; open = word.find('{', open + 1)) {
      const std::string name = word.substr(open + 1, word.find('}', open) - open - 1);
      if (std::ranges::find(known, name) != known.end()) continue;
      if (const std::string near = closest(name, known); !near.empty())
        throw YamlFault(fmt::format("'{}' has the word {{{}}}; did you mean {{{}}}?", key, printable(name, 40), near));
    }
  }
}

void expect_files(const CommandSpec& spec) {
  for (const char* file : {"{input}", "{output}"}) {
    const auto names_it = [&](const std::string& word) { return word.find(file) != std::string::npos; };
    if (!std::ranges::any_of(spec.command, names_it))
      throw YamlFault(std::string("'command' must say with ") + file + " where the program finds " +
                      (file == std::string("{input}") ? "the model" : "the name of the file that it writes"));
  }
}

ReadSpec read(const YAML::Node& root, const std::string& folder) {
  expect_keys(root, top_keys, "name: onnxsim");
  ReadSpec read;
  CommandSpec& spec = read.spec;
  spec.here = folder;
  spec.name = text_at(root, "name");
  expect_name(spec.name);
  spec.about = printable(text_at(root, "about"), 200);
  spec.command = filled_in(words_at(root, "command"), "here", folder);
  spec.version = filled_in(words_at(root, "version"), "here", folder);
  spec.stays = filled_in(words_at(root, "stays"), "here", folder);
  spec.packages = words_at(root, "packages");
  spec.python = text_at(root, "python");
  spec.ordered = flag_at(root, "ordered");
  spec.may_use_network = flag_at(root, "network");
  spec.seconds = seconds_at(root);
  read.environment = text_at(root, "environment");
  expect_placeholders(spec.command, "command");
  expect_placeholders(spec.stays, "stays");
  expect_files(spec);
  read.known.data = words_at(root, "data");
  if (root["options"].IsDefined() && !root["options"].IsSequence())
    throw YamlFault(line_of(root["options"]) + "'options' must be a list, each with a name, values and words");
  for (const YAML::Node& option : root["options"]) read.known.options.push_back(option_of(option, folder));
  if (root["steps"].IsDefined() && !root["steps"].IsSequence())
    throw YamlFault(line_of(root["steps"]) + "'steps' must be a list, each with names and how they are chosen");
  Words all;
  for (const YAML::Node& group : root["steps"]) {
    spec.groups.push_back(group_of(group));
    spec.groups.back().list = filled_in(spec.groups.back().list, "here", folder);
    all.insert(all.end(), spec.groups.back().names.begin(), spec.groups.back().names.end());
  }
  expect_distinct(all);
  return read;
}

}  // namespace

Result<ReadSpec> read_command_spec(const std::string& text, const std::string& where,
                                   const std::filesystem::path& folder) {
  constexpr const char* hint = "docs/optimizers.md tells what stands in such a file";
  return read_yaml(where, hint, [&] {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1)
      throw YamlFault("there are several documents in it, with --- between; one program is one file");
    return read(documents.empty() ? YAML::Node() : documents.front(), folder.string());
  });
}

}  // namespace culprit
