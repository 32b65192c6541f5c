#include "optimizer/command/program_description.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

using Words = std::vector<std::string>;

void append(Words& words, const Words& more) { words.insert(words.end(), more.begin(), more.end()); }

Words with_steps(const Words& words, const Words& steps) {
  Words made;
  for (const std::string& word : words) {
    if (word == "{steps}") {
      append(made, steps);
    } else if (word.find("{step}") != std::string::npos) {
      for (const std::string& step : steps) made.push_back(replace_all(word, "{step}", step));
    } else {
      made.push_back(replace_all(word, "{steps}", join(steps, ",")));
    }
  }
  return made;
}

Words choice_in(const StepGroup& group, const Words& wanted, bool ordered) {
  Words done, left_out;
  for (const std::string& name : group.names) (is_one_of(name, wanted) ? done : left_out).push_back(name);
  if (ordered) {
    done.clear();
    for (const std::string& name : wanted)
      if (is_one_of(name, group.names)) done.push_back(name);
  }
  // What is off is not done anyhow, and need not be left out.
  std::erase_if(left_out, [&](const std::string& name) { return is_one_of(name, group.off); });
  Words words;
  if (done.empty() && !group.skip_all.empty()) {
    words = group.skip_all;
  } else if (!left_out.empty()) {
    words = with_steps(group.skip, left_out);
  }
  append(words, done.empty() ? group.keep_none : with_steps(group.keep, done));
  return words;
}

}  // namespace

bool can_name_a_step(const std::string& name) {
  return !name.empty() && name.front() != '-' && name.find('{') == std::string::npos && name == printable(name, 400);
}

bool CommandSpec::lists_by_model() const {
  const auto names_input = [](const std::string& word) { return word.find("{input}") != std::string::npos; };
  return std::ranges::any_of(groups,
                             [&](const StepGroup& group) { return std::ranges::any_of(group.list, names_input); });
}

PortableCall portable(const CommandSpec& spec, std::vector<std::string> words) {
  PortableCall call;
  for (std::string& word : words) {
    if (!spec.python.empty() && word == spec.python) word = "{python}";
    std::error_code error;
    const std::filesystem::path file = word;
    if (spec.here.empty() || file.parent_path() != spec.here || !std::filesystem::is_regular_file(file, error))
      continue;
    call.files.push_back(file);
    word = "{here}/" + file.filename().string();
  }
  call.words = std::move(words);
  return call;
}

std::vector<std::string> packages_of(const CommandSpec& spec) {
  std::vector<std::string> packages = spec.packages;
  if (!packages.empty() && !spec.found_version.empty()) packages.front() += "==" + spec.found_version;
  return packages;
}

std::vector<std::string> filled_in(std::vector<std::string> words, const std::string& name, const std::string& value) {
  const std::string place = "{" + name + "}";
  for (std::string& word : words) word = replace_all(word, place, value);
  return words;
}

std::vector<std::string> words_for(const CommandSpec& spec, const std::vector<std::string>& steps) {
  if (spec.groups.empty() && steps.empty()) return {};
  Words choice;
  for (const StepGroup& group : spec.groups) append(choice, choice_in(group, steps, spec.ordered));
  Words words;
  bool is_chosen = false;
  for (const std::string& word : spec.command) {
    if (word == "{choice}") {
      append(words, choice);
      is_chosen = true;
    } else {
      words.push_back(word);
    }
  }
  if (!is_chosen) append(words, choice);
  return filled_in(std::move(words), "python", spec.python);
}

}  // namespace culprit
