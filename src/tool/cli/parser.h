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

// Headings of the list of commands.
inline constexpr const char* heading_check = "Find and mend";
inline constexpr const char* heading_measure = "Measure";
inline constexpr const char* heading_report = "Report a fault, and watch it";
inline constexpr const char* heading_facts = "About this installation";

inline constexpr const char* usual_exit_codes =
    "Exit codes: 0 nothing wrong, 1 fault found, 2 wrong usage, 3 cannot judge, 4 internal error, 130 interrupted.";

/// Those of commands that judge nothing.
inline constexpr const char* exit_codes_of_facts =
    "Exit codes: 0 done, 2 wrong usage, 3 a file cannot be read as what it should be, 4 internal error.";

/// A command as --help tells of it.
struct CommandText {
  std::string name;
  std::string heading;                ///< under which the list of commands has it
  std::string about;                  ///< its line in that list
  std::vector<std::string> examples;  ///< "culprit check model.onnx"
  /// Flags that --help shows, in this order; `--help all` shows the others, too. Empty: --help shows all.
  std::vector<std::string> most_used = {};
  std::vector<std::string> paragraphs = {};  ///< before the examples; one with line breaks keeps them
  std::string exit_codes = usual_exit_codes;
};

class HelpFormat;

/// For one parse: the places of the values keep what they got.
class CommandParser {
 public:
  /// `about` starts the help of the whole tool, and `examples` end it. `width`: columns of --help, 80 for a file.
  CommandParser(const std::string& about, const std::vector<std::string>& examples, int width);
  ~CommandParser();
  CommandParser(const CommandParser&) = delete;
  CommandParser& operator=(const CommandParser&) = delete;

  /// What may stand before any command.
  [[nodiscard]] Flags flags() const;
  Flags add_command(CommandText text);
  /// One that neither --help nor completion nor a complaint shows.
  Flags add_hidden_command(CommandText text);

  /// `arguments` without the tool's name. ErrorKind::usage for what was not declared, with the closest name that was,
  /// and for what is missing.
  Result<Typed> parse(const std::vector<std::string>& arguments);

  /// The whole tool, and each command that --help lists.
  [[nodiscard]] std::vector<CommandOutline> outline() const;

 private:
  Result<Typed> parse_help(const std::vector<std::string>& words);

  std::unique_ptr<CLI::App> app_;
  std::shared_ptr<HelpFormat> format_;
};

}  // namespace culprit
