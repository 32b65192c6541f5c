#pragma once
// A program that turns a model file into another, described in a few lines of YAML (docs/optimizers.md): how it is
// called, which steps it has, and how one tells it to do some of them only.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace culprit {

/// Steps that are chosen in one way. Words may hold "{steps}": a word of its own becomes one word for each step, inside
/// of a word it becomes their names with ',' between; "{step}" repeats its word for each step.
struct StepGroup {
  std::vector<std::string> names;      ///< known beforehand, or printed by `list`
  std::vector<std::string> off;        ///< of these: not done unless they are asked for
  std::vector<std::string> list;       ///< the program that prints them, one a line; "{input}" is the model's file
  std::vector<std::string> skip;       ///< added where some are left out: of those
  std::vector<std::string> skip_all;   ///< added where all are; empty: as `skip`
  std::vector<std::string> keep;       ///< added where some are done: of those
  std::vector<std::string> keep_none;  ///< added where none is
};

struct CommandSpec {
  std::string name;                   ///< as in --optimizer and in reports
  std::string about;                  ///< one line
  std::vector<std::string> command;   ///< with "{input}" and "{output}"; "{choice}": here stands which steps it does
  std::vector<std::string> stays;     ///< the same program, started once and asked line by line; empty: it cannot be
  std::vector<std::string> version;   ///< the program that prints its version; empty: not known
  std::vector<std::string> packages;  ///< public packages of Python that hold it: "onnxsim"
  std::string python;                 ///< what "{python}" stands for
  std::filesystem::path here;         ///< the folder of its description, and of the scripts that it calls
  std::string found_version;          ///< as the program says; "": it was not asked, or does not say
  std::vector<StepGroup> groups;      ///< none: it has one step, itself
  bool ordered = false;               ///< the order in which steps are named counts
  bool may_use_network = false;
  double seconds = 0;  ///< of CPU time that one call may take; 0: as long as anything else

  /// Do the steps depend on the model?
  [[nodiscard]] bool lists_by_model() const;
};
using CommandSpecPtr = std::shared_ptr<const CommandSpec>;

/// Names become words of a command line: none may look like an option or like a place to be filled in.
bool can_name_a_step(const std::string& name);

/// The words that make the program do these steps and no others; none where it is not to be called at all. "{python}"
/// is filled in, "{input}" and "{output}" are not.
std::vector<std::string> words_for(const CommandSpec& spec, const std::vector<std::string>& steps);

/// "{name}" in each of the words becomes `value`.
std::vector<std::string> filled_in(std::vector<std::string> words, const std::string& name, const std::string& value);

/// The call as it stands on any machine: "{python}" for its Python, "{here}" for its folder, and the files of that
/// folder that it names.
struct PortableCall {
  std::vector<std::string> words;
  std::vector<std::filesystem::path> files;
};
PortableCall portable(const CommandSpec& spec, std::vector<std::string> words);

/// What pip is told to bring: "onnxsim==0.8.1", "onnxruntime". The version is that of the first.
std::vector<std::string> packages_of(const CommandSpec& spec);

}  // namespace culprit
