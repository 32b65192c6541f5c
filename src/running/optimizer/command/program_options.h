#pragma once
// Options of a program that users choose by name (--option weight_type=QUInt8), and the data that they give it
// (--data).

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "optimizer/command/program_description.h"

namespace culprit {

/// One option, as the program's description has it. Its values are known, or printed by `list`, one a line.
struct ProgramOption {
  std::string name;
  std::vector<std::string> values;
  std::vector<std::string> list;   ///< the program that prints them; empty: `values` are all
  std::vector<std::string> words;  ///< added to the command, with "{value}" in them
};

/// What a description says of them.
struct KnownOptions {
  std::vector<ProgramOption> options;
  std::vector<std::string> data;  ///< words that are added where the user names data, with "{data}" in them
};

/// What the user chose.
struct GivenOptions {
  std::vector<std::pair<std::string, std::string>> options;  ///< name and value
  std::filesystem::path data;                                ///< --data; "": none was named
};

/// The command with the words of what was chosen. `scratch` is a folder that is there: programs are run in it that tell
/// the values. ErrorKind::usage for an option that the program does not have, with those that it has, and for a value
/// that is none, with the allowed ones. Data that it takes no words for are not its.
Result<void> choose_options(CommandSpec& spec, const KnownOptions& known, const GivenOptions& given,
                            const std::filesystem::path& scratch);

}  // namespace culprit
