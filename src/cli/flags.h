#pragma once
// Helpers to declare flags with CLI11. Flags are read as text, and `values.h` says what they mean, so that every
// complaint is ours.

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace culprit {

// Type names, shown in --help and read by completion (command_line.cc).
inline constexpr const char* type_file = "FILE";
inline constexpr const char* type_folder = "DIR";
inline constexpr const char* type_passes = "PASS,...";

/// An empty value is nearly always an unset variable of a script.
inline std::string refuse_empty(const std::string& value) { return value.empty() ? "an empty value" : ""; }

/// `--name VALUE`, at most once.
inline CLI::Option* add_value(CLI::App& app, const std::string& names, std::string& value, const std::string& type,
                              const std::string& help) {
  return app.add_option(names, value, help)->type_name(type)->check(refuse_empty);
}

/// `--name VALUE`, any number of times, one value each (so that a model's name behind it is no value of it).
inline CLI::Option* add_values(CLI::App& app, const std::string& names, std::vector<std::string>& values,
                               const std::string& type, const std::string& help) {
  return app.add_option(names, values, help)
      ->type_name(type)
      ->check(refuse_empty)
      ->type_size(1)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

}  // namespace culprit
