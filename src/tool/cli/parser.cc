// The one file that includes CLI11, for its header takes half a minute to compile: what flags.h and parser.h declare.
#include "cli/parser.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/meant_word.h"
#include "base/text.h"
#include "cli/flag_words.h"
#include "report/layout.h"

namespace culprit {
/// How --help looks: as CLI11 has it, but wrapped at the terminal's width, the most used flags first.
class HelpFormat : public CLI::Formatter {
 public:
  explicit HelpFormat(int columns) : width_(std::clamp(columns, 60, 120)) {
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }
  void add(const CLI::App* app, CommandText text) { texts_.insert_or_assign(app, std::move(text)); }
  /// Shows all flags of a command, or those that most need if it names some.
  void show_all(bool all) { shows_all_ = all; }

  /// The first example of that command.
  [[nodiscard]] const std::string& example_of(const CLI::App* app) const { return texts_.at(app).examples.front(); }

  std::string make_group(std::string title, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = "\n" + hanging("", title + ":", width_);
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    return text;
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    const auto text = texts_.find(app);
    const bool is_short = !shows_all_ && text != texts_.end() && !text->second.most_used.empty();
    std::string help = make_description(app) + make_usage(app, std::move(name)) + make_positionals(app) +
                       (is_short ? most_used(*app, text->second) : make_groups(app, mode)) +
                       make_subcommands(app, mode) + "\n" + make_footer(app);
    // CLI11 puts a second empty line between groups.
    for (auto at = help.find("\n\n\n"); at != std::string::npos; at = help.find("\n\n\n")) help.erase(at, 1);
    return help;
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + value_of(option, is_positional), option->get_description());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    return hanging("", app->get_description(), width_) + "\n";
  }
  std::string make_footer(const CLI::App* app) const override {
    const auto found = texts_.find(app);
    if (found == texts_.end()) return "";
    std::string text;
    for (const std::string& paragraph : found->second.paragraphs)
      text += (paragraph.find('\n') == std::string::npos ? hanging("", paragraph, width_) : paragraph + "\n") + "\n";
    text += hanging("", found->second.exit_codes, width_) + "\nExamples:\n";
    for (const std::string& example : found->second.examples) text += "  " + example + "\n";
    return text;
  }

 private:
  static constexpr int text_column = 30;
  int width_;
  bool shows_all_ = false;
  std::map<const CLI::App*, CommandText> texts_;

  [[nodiscard]] std::string most_used(const CLI::App& app, const CommandText& text) const {
    std::vector<const CLI::Option*> options{app.get_help_ptr()};
    for (const std::string& name : text.most_used) options.push_back(app.get_option(name));
    const auto all = app.get_options(
        [](const CLI::Option* option) { return option->nonpositional() && !option->get_group().empty(); });
    return make_group("Options that most need", false, options) + "\n" +
           hanging("", fmt::format("`culprit help {} all` shows all {} options.", text.name, all.size()), width_);
  }
  static std::string value_of(const CLI::Option* option, bool is_positional) {
    if (option->get_expected_max() == 0) return "";
    if (is_positional) return option->get_expected_max() > 1 ? "..." : "";
    return " " + option->get_type_name();
  }
  [[nodiscard]] std::string entry(const std::string& name, const std::string& help) const {
    const std::string start = "  " + pad_right(name, text_column - 2);
    if (display_width(start) == text_column && start.ends_with(' ')) return hanging(start, help, width_);
    return name_lines(name) + hanging(std::string(text_column, ' '), help, width_);
  }
  /// A list of choices that is wider than a line goes on in the next, after a '|'.
  [[nodiscard]] std::string name_lines(const std::string& name) const {
    std::string lines, line = "  ";
    const std::vector<std::string> choices = split(name, '|');
    for (std::size_t i = 0; i < choices.size(); ++i) {
      const std::string choice = choices[i] + (i + 1 < choices.size() ? "|" : "");
      if (i > 0 && display_width(line + choice) > width_) lines += std::exchange(line, "      ") + "\n";
      line += choice;
    }
    return lines + line + "\n";
  }
};

namespace {

/// An empty value is nearly always an unset variable of a script.
std::string refuse_empty(const std::string& value) { return value.empty() ? "an empty value" : ""; }

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

/// The commands that --help lists.
std::vector<const CLI::App*> listed_commands_of(const CLI::App& root) {
  return root.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

/// The command that was being parsed when something was wrong: the first word that is one.
const CLI::App& command_in(const CLI::App& root, const std::vector<std::string>& arguments) {
  const auto commands = root.get_subcommands([](const CLI::App*) { return true; });
  for (const std::string& word : arguments)
    for (const CLI::App* command : commands)
      if (command->get_name() == word) return *command;
  return root;
}

bool is_file(const std::string& word) {
  std::error_code ignored;
  return std::filesystem::exists(word, ignored);
}

std::string help_hint(const CLI::App& root, const CLI::App& command) {
  const bool is_root = &command == &root;
  return "`culprit " + (is_root ? "--help" : "help " + command.get_name() + " all") + "` tells what can be given";
}

/// The first listed command that has the option of that name; "" for none.
std::string command_with(const CLI::App& root, const std::string& option) {
  for (const CLI::App* listed : listed_commands_of(root)) {
    const auto names = option_names(*listed);
    if (std::ranges::find(names, option) != names.end()) return listed->get_name();
  }
  return "";
}

tl::unexpected<Error> unknown_word(const CLI::App& root, const CLI::App& command, const std::string& word) {
  const bool is_root = &command == &root;
  std::vector<std::string> known = option_names(command);
  if (is_root)
    for (const CLI::App* listed : listed_commands_of(root)) known.push_back(listed->get_name());
  if (word.starts_with('-') && is_file(word))
    return fail(ErrorKind::usage, "unknown option '" + printable(word, 100) + "', but there is a file of that name",
                "for the file write './" + printable(word, 100) + "'");
  if (const std::string other = command_with(root, word.substr(0, word.find('='))); !is_root && !other.empty())
    return fail(ErrorKind::usage,
                "`culprit " + command.get_name() + "` has no option '" + printable(word, 100) + "', `culprit " + other +
                    "` has it",
                help_hint(root, command));
  if (is_root && is_file(word))
    return fail(ErrorKind::usage, "'" + printable(word, 100) + "' is a file, and no command",
                "such as `culprit check " + printable(word, 100) + "`");
  const std::string what = word.starts_with("-") ? "unknown option" : is_root ? "unknown command" : "unexpected word";
  return fail(ErrorKind::usage,
              what + " '" + printable(word, 100) + "'" + did_you_mean(word.substr(0, word.find('=')), known),
              help_hint(root, command));
}

bool is_help_flag(const std::string& word) { return word == "--help" || word == "-h"; }

/// Of a flag that is declared as "-o,--output".
std::string help_of(const std::string& names) { return std::string(words_of_flag(names.substr(names.find("--")))); }

/// "-o, --output"; the name of a word.
std::string names_of(const CLI::Option& option) {
  if (option.get_positional()) return option.get_name();
  std::string names;
  for (const std::string& name : option.get_snames()) names += (names.empty() ? "-" : ", -") + name;
  for (const std::string& name : option.get_lnames()) names += (names.empty() ? "--" : ", --") + name;
  return names;
}

/// The first that has to be given and was not; null where there is none.
const CLI::Option* missing_in(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options())
    if (option->get_required() && option->count() == 0) return option;
  return nullptr;
}

tl::unexpected<Error> complaint_of(const CLI::ParseError& error, const CLI::App& root, const HelpFormat& format,
                                   const std::vector<std::string>& arguments) {
  const CLI::App& command = command_in(root, arguments);
  const std::vector<std::string> left_over = root.remaining(/*recurse=*/true);
  // An option that nobody knows is the mistake, whatever is missing besides.
  const auto option = std::ranges::find_if(left_over, [](const std::string& word) { return word.starts_with('-'); });
  if (option != left_over.end()) return unknown_word(root, command, *option);
  const bool extras = dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr;
  if (extras && !left_over.empty()) return unknown_word(root, command, left_over.front());
  const CLI::Option* missing = missing_in(command);
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr && missing != nullptr)
    return fail(ErrorKind::usage, names_of(*missing) + " is required",
                "such as `" + format.example_of(&command) + "`; " + help_hint(root, command));
  return fail(ErrorKind::usage, printable(error.what(), 300), help_hint(root, command));
}

using Takes = OptionOutline::Takes;

Takes what_it_takes(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  if (option.get_expected_max() == 0) return Takes::nothing;
  if (type == type_passes) return Takes::passes;
  if (type == type_folder) return Takes::folder;
  if (type == type_file || type.find("PATH") != std::string::npos) return Takes::file;
  // Choices are written in lower case with bars between: "text|json".
  const bool words =
      type.find('|') != std::string::npos && type.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string::npos;
  return words ? Takes::words : Takes::anything;
}

OptionOutline outline_of(const CLI::Option& option) {
  OptionOutline outline;
  for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
  outline.help = option.get_description();
  outline.takes = what_it_takes(option);
  if (outline.takes == Takes::words) outline.words = split(option.get_type_name(), '|');
  outline.repeatable =
      option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll || option.get_expected_max() > 1;
  return outline;
}

CommandOutline outline_of(const CLI::App& app, const std::string& name) {
  CommandOutline outline{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (!option->get_group().empty()) outline.options.push_back(outline_of(*option));  // others are hidden
  }
  return outline;
}

}  // namespace

const Flag& Flag::required() const {
  option_->required();
  return *this;
}

const Flag& Flag::just_one() const {
  option_->expected(1);
  return *this;
}

const Flag& Flag::hidden() const {
  option_->group("");
  return *this;
}

const Flag& Flag::with_default(const std::string& text) const {
  const std::string help = option_->get_description();
  option_->description(help.substr(0, help.find(" (default: ")) + " (default: " + text + ")");
  return *this;
}

Flag Flags::declared(const std::string& name) const { return Flag(*app_->get_option(name)); }

Flags Flags::group(const std::string& heading) const {
  Flags same = *this;
  same.group_ = heading;
  return same;
}

Flag Flags::grouped(CLI::Option& option) const {
  if (!group_.empty()) option.group(group_);
  return Flag(option);
}

Flag Flags::value(const std::string& names, std::string& value, const std::string& type) const {
  return grouped(*app_->add_option(names, value, help_of(names))->type_name(type)->check(refuse_empty));
}

Flag Flags::values(const std::string& names, std::vector<std::string>& values, const std::string& type) const {
  return grouped(*app_->add_option(names, values, help_of(names))
                      ->type_name(type)
                      ->check(refuse_empty)
                      ->type_size(1)
                      ->expected(1)
                      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
                      ->allow_extra_args(false));
}

Flag Flags::toggle(const std::string& names, bool& given) const {
  return grouped(*app_->add_flag(names, given, help_of(names)));
}

Flag Flags::word(const std::string& name, std::string& value, const std::string& type, const std::string& help) const {
  return grouped(*app_->add_option(name, value, help)->type_name(type));
}

Flag Flags::words(const std::string& name, std::vector<std::string>& values, const std::string& type,
                  const std::string& help) const {
  return grouped(*app_->add_option(name, values, help)->type_name(type));
}

CommandParser::CommandParser(const std::string& about, const std::vector<std::string>& examples, int width)
    : app_(std::make_unique<CLI::App>(about, "culprit")), format_(std::make_shared<HelpFormat>(width)) {
  app_->formatter(format_);
  app_->set_help_flag("-h,--help", "This help; `culprit help COMMAND` tells of a command");
  app_->require_subcommand(0, 1);
  format_->add(app_.get(), {"culprit", "", about, examples});
}

CommandParser::~CommandParser() = default;

Flags CommandParser::flags() const { return Flags(*app_); }

Flags CommandParser::add_command(CommandText text) {
  CLI::App* command = app_->add_subcommand(text.name, text.about);
  command->group(text.heading);
  command->set_help_flag("-h,--help", text.most_used.empty() ? "This help" : "This help; `--help all`: all options");
  format_->add(command, std::move(text));
  return Flags(*command);
}

Flags CommandParser::add_hidden_command(CommandText text) {
  const std::string name = text.name;
  Flags command = add_command(std::move(text));
  app_->get_subcommand(name)->group("");
  return command;
}

/// `culprit help COMMAND` is `culprit COMMAND --help`, and so with `all` after it.
Result<Typed> CommandParser::parse_help(const std::vector<std::string>& words) {
  if (words.empty()) return Typed{"", app_->help()};
  if (&command_in(*app_, {words[0]}) == app_.get()) return unknown_word(*app_, *app_, words[0]);
  format_->show_all(words.size() > 1 && words[1] == "all");
  return parse({words[0], "--help"});
}

Result<Typed> CommandParser::parse(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "help") return parse_help({arguments.begin() + 1, arguments.end()});
  const std::size_t count = arguments.size();
  if (count > 1 && arguments[count - 1] == "all" && is_help_flag(arguments[count - 2])) format_->show_all(true);
  // CLI11 takes the words from the back.
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    app_->parse(reversed);
  } catch (const CLI::CallForHelp&) {
    return Typed{"", app_->help()};
  } catch (const CLI::ParseError& error) {
    return complaint_of(error, *app_, *format_, arguments);
  }
  const auto commands = app_->get_subcommands();
  return Typed{commands.empty() ? "" : commands.front()->get_name(), ""};
}

std::vector<CommandOutline> CommandParser::outline() const {
  std::vector<CommandOutline> commands{outline_of(*app_, "")};
  for (const CLI::App* command : listed_commands_of(*app_)) {
    commands.push_back(outline_of(*command, command->get_name()));
  }
  return commands;
}

}  // namespace culprit
