#pragma once
// The flags of one command, declared without the header of the library that parses them (see parser.cc). Values are
// read as text, and `values.h` says what they mean, so that every complaint is ours.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace culprit {

// Type names, shown in --help and read by completion (parser.cc).
inline constexpr const char* type_file = "FILE";
inline constexpr const char* type_folder = "DIR";
inline constexpr const char* type_passes = "PASS,...";

/// Something that was declared. A handle: it may be copied, and lives no longer than the parser.
class Flag {
 public:
  explicit Flag(CLI::Option& option) : option_(&option) {}

  /// It has to be given.
  const Flag& required() const;
  /// Not more than one of these words may be given.
  const Flag& just_one() const;
  /// Its default in this command, in place of one that its words have: "(default: ...)" ends its help.
  const Flag& with_default(const std::string& text) const;
  /// Neither --help nor completion shows it.
  const Flag& hidden() const;

 private:
  CLI::Option* option_;
};

/// The place where flags of one command are declared; --help shows them in that order, with the words of flag_words.h.
/// A handle, as Flag is.
class Flags {
 public:
  explicit Flags(CLI::App& app) : app_(&app) {}

  /// This command again: what is declared through the result stands under this heading in --help.
  [[nodiscard]] Flags group(const std::string& heading) const;

  /// `--name VALUE`, at most once. `names` is such as "-o,--output", and `type` stands for the value in --help.
  Flag value(const std::string& names, std::string& value, const std::string& type) const;
  /// `--name VALUE`, any number of times, one value each (so that a model's name after it is no value of it).
  Flag values(const std::string& names, std::vector<std::string>& values, const std::string& type) const;
  /// `--name`, which makes `given` true.
  Flag toggle(const std::string& names, bool& given) const;
  /// A word without dashes; `name` stands for it in --help and in complaints, and `help` tells of it.
  Flag word(const std::string& name, std::string& value, const std::string& type, const std::string& help) const;
  /// All words that are left.
  Flag words(const std::string& name, std::vector<std::string>& values, const std::string& type,
             const std::string& help) const;

  /// The flag of that name, which was declared before.
  [[nodiscard]] Flag declared(const std::string& name) const;

 private:
  CLI::App* app_;
  std::string group_;  ///< "" for the library's own

  [[nodiscard]] Flag grouped(CLI::Option& option) const;
};

}  // namespace culprit
