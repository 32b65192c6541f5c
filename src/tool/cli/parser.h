#pragma once
// Commands and their flags, declared; then what was typed is read into the places that were named for it. Knows no
// command: which there are, says command_line.cc.

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/flags.h"
#include "cli/outline.h"

namespace culprit {

/// What was typed, but for the values of flags.
struct Typed {
  std::string command;  ///< "" where none was given
  std::string help;     ///< the text that was asked for, else "": then no flag counts
};

/// For one parse: the places of the values keep what they got.
class CommandParser {
 public:
  /// `about` starts the help of the whole tool, and `closing` ends it.
  CommandParser(const std::string& about, const std::string& closing);
  ~CommandParser();
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;

  /// What may stand before any command.
  [[nodiscard]] Flags flags() const;
  /// `about` is the line of the command in --help, and `example` ends its own help.
  Flags add_command(const std::string& name, const std::string& about, const std::string& example);
  /// One that neither --help nor completion nor a complaint shows.
  Flags add_hidden_command(const std::string& name, const std::string& about, const std::string& example);

  /// `arguments` without the tool's name. ErrorKind::usage for what was not declared, with the closest name that was,
  /// and for what is missing.
  Result<Typed> parse(const std::vector<std::string>& arguments);

  /// The whole tool, and each command that --help lists.
  [[nodiscard]] std::vector<CommandOutline> outline() const;

 private:
  Result<Typed> parse_help(const std::vector<std::string>& words);

  std::unique_ptr<CLI::App> app_;
};

}  // namespace culprit
