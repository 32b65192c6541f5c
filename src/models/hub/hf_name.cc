#include "hub/hf_name.h"

#include <algorithm>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view hf_start = "hf:";
constexpr std::size_t longest_part = 255;  // of a file system

tl::unexpected<Error> no_hf_name(const std::string& word, const std::string& why) {
  return fail(ErrorKind::usage, "'" + printable(word, 200) + "': " + why,
              "such as hf:org/model, hf:org/model@v1.0, or hf:org/model:onnx/model.onnx");
}

/// As the hub allows them. "--" stands for '/' in the names of folders.
bool is_hf_part(std::string_view part) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !part.empty() && part.size() <= longest_part && part.find_first_not_of(letters) == std::string_view::npos &&
         !contains(part, "--") && !contains(part, "..") && !part.starts_with('.') && !part.ends_with('.') &&
         !part.starts_with('-') && !part.ends_with('-');
}

bool is_hf_repository(const std::string& text) {
  const std::vector<std::string> parts = split(text, '/');
  return !parts.empty() && parts.size() <= 2 &&
         std::ranges::all_of(parts, [](const std::string& part) { return is_hf_part(part); });
}

}  // namespace

bool is_hf_word(std::string_view word) { return word.starts_with(hf_start); }

bool is_hf_commit(std::string_view revision) {
  constexpr std::size_t digits = 40;
  return revision.size() == digits && revision.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_path_of_names(std::string_view path) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 32 || c == 127 || c == '\\'; };
  if (path.empty() || std::ranges::any_of(path, is_control)) return false;
  return std::ranges::none_of(split(path, '/'), [](const std::string& part) {
    return part.empty() || part == "." || part == ".." || part.size() > longest_part;
  });
}

Result<HfName> hf_name_of(const std::string& word) {
  if (!is_hf_word(word)) return no_hf_name(word, "it does not begin with hf:");
  HfName name;
  std::string rest = word.substr(hf_start.size());
  const std::size_t end = std::min(rest.find_first_of("@:"), rest.size());
  name.repository = rest.substr(0, end);
  rest = rest.substr(end);
  if (rest.starts_with('@')) {
    const std::size_t colon = std::min(rest.find(':'), rest.size());
    name.revision = rest.substr(1, colon - 1);
    rest = rest.substr(colon);
  }
  const bool names_file = rest.starts_with(':');
  if (names_file) name.file = rest.substr(1);
  if (!is_hf_repository(name.repository))
    return no_hf_name(word, "'" + printable(name.repository, 100) + "' is no name on the hub");
  if (!is_path_of_names(name.revision))
    return no_hf_name(word, "'" + printable(name.revision, 100) + "' is no revision");
  if (names_file && !is_path_of_names(name.file))
    return no_hf_name(word, "'" + printable(name.file, 100) + "' is no path inside the repository");
  return name;
}

std::string word_of(const HfName& name) {
  std::string word = std::string(hf_start) + name.repository;
  if (name.revision != "main") word += "@" + name.revision;
  return name.file.empty() ? word : word + ":" + name.file;
}

}  // namespace culprit
