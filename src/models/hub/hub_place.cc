#include "hub/hub_place.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/file.h"
#include "base/text.h"
#include "hub/hub_manifest.h"
#include "hub/web_address.h"

namespace culprit {
namespace {

bool is_word_of_github(std::string_view word) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
  return !word.empty() && word != "." && word != ".." && word.find_first_not_of(letters) == std::string_view::npos;
}

/// The manifest is a text, and the files lie in the large storage of the repository.
Result<HubPlace> place_on_github(const std::string& text) {
  const std::size_t slash = text.find('/'), colon = text.find(':', slash == std::string::npos ? 0 : slash);
  const std::string owner = text.substr(0, slash);
  const std::string repository = slash == std::string::npos ? "" : text.substr(slash + 1, colon - slash - 1);
  const std::string branch = colon == std::string::npos ? "main" : text.substr(colon + 1);
  if (!is_word_of_github(owner) || !is_word_of_github(repository) || !is_word_of_github(branch))
    return fail(ErrorKind::usage, "'" + printable(text, 200) + "' is no hub",
                std::string("a folder with a ") + hub_manifest_name +
                    ", an address that begins with https://, or owner/repository[:branch]");
  const std::string tree = owner + "/" + repository + "/" + branch;
  return HubPlace{text, "https://raw.githubusercontent.com/" + tree + "/" + hub_manifest_name,
                  "https://media.githubusercontent.com/media/" + tree};
}

std::string without_slashes(std::string text) {
  while (text.ends_with('/')) text.pop_back();
  return text;
}

bool leaves_its_root(const std::string& path) {
  const fs::path parts(path);
  return path.empty() || path.find('\\') != std::string::npos || parts.is_absolute() ||
         std::ranges::any_of(parts, [](const fs::path& part) { return part == ".."; });
}

}  // namespace

Result<HubPlace> hub_place_of(const std::string& text) {
  std::error_code error;
  if (text.starts_with("https://") || text.starts_with("http://")) {
    const std::string end = std::string("/") + hub_manifest_name;
    const std::string root = without_slashes(text.ends_with(end) ? text.substr(0, text.size() - end.size()) : text);
    return HubPlace{text, root + end, root};
  }
  if (!fs::is_directory(text, error)) return place_on_github(text);
  const fs::path manifest = fs::path(text) / hub_manifest_name;
  if (!fs::exists(manifest, error))
    return fail(ErrorKind::not_found, printable(text, 300) + " has no " + hub_manifest_name,
                "`culprit hub index " + printable(text, 300) + "` makes one of the models there");
  return HubPlace{text, manifest.string(), without_slashes(text), true};
}

Result<std::string> place_of_file(const HubPlace& place, const std::string& path) {
  if (leaves_its_root(path))
    return fail(ErrorKind::bad_input, "the manifest of " + printable(place.name, 200) +
                                          " names a file outside of the hub: " + printable(path, 200));
  if (!place.is_folder) return place.files + "/" + as_address(path);
  const auto inside = path_inside(place.files, path);
  if (!inside) return tl::unexpected(inside.error());
  return inside->string();
}

}  // namespace culprit
