#pragma once
// How --help looks: as CLI11 has it, but wrapped at 80 columns.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "report/layout.h"

namespace culprit {

class HelpFormat : public CLI::Formatter {
 public:
  HelpFormat() {
    label("SUBCOMMAND", "COMMAND");
    label("Positionals", "Arguments");
  }
  std::string make_group(std::string title, bool is_positional,
                         std::vector<const CLI::Option*> options) const override {
    std::string text = "\n" + title + ":\n";
    for (const CLI::Option* option : options) text += make_option(option, is_positional);
    return text;
  }
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    // CLI11 puts a second empty line between groups.
    std::string text = CLI::Formatter::make_help(app, std::move(name), mode);
    for (auto at = text.find("\n\n\n"); at != std::string::npos; at = text.find("\n\n\n")) text.erase(at, 1);
    return text;
  }
  std::string make_option(const CLI::Option* option, bool is_positional) const override {
    return entry(make_option_name(option, is_positional) + value_of(option, is_positional), option->get_description());
  }
  std::string make_subcommand(const CLI::App* command) const override {
    return entry(command->get_name(), command->get_description());
  }
  std::string make_description(const CLI::App* app) const override {
    return hanging("", app->get_description(), width) + "\n";
  }

 private:
  static constexpr int width = 80, text_column = 30;

  static std::string value_of(const CLI::Option* option, bool is_positional) {
    if (option->get_expected_max() == 0) return "";
    if (is_positional) return option->get_expected_max() > 1 ? "..." : "";
    return " " + option->get_type_name();
  }
  static std::string entry(const std::string& name, const std::string& help) {
    const std::string start = "  " + pad_right(name, text_column - 2);
    if (display_width(start) == text_column && start.ends_with(' ')) return hanging(start, help, width);
    return "  " + name + "\n" + hanging(std::string(text_column, ' '), help, width);
  }
};

}  // namespace culprit
