#include "app/case_contents.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>
#include <vector>

#include "app/weight_files.h"
#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "data/sample_folders.h"

namespace culprit {
namespace {

struct HashedFiles {
  Hasher hasher;
  std::uint64_t bytes = 0;

  Result<void> add(const fs::path& file, const std::string& name) {
    const auto mapped = MappedFile::open(file);
    if (!mapped) return tl::unexpected(mapped.error());
    hasher.add(name).add(mapped->bytes());
    bytes += mapped->bytes().size();
    return {};
  }
  [[nodiscard]] Contents contents() const { return {hasher.finish().hex(), bytes}; }
};

/// What could be names in a text, each once; those without a letter or digit, such as "." and "/", are none.
std::set<std::string> words_in(const std::string& text) {
  constexpr std::string_view between = " \t\r\n\"'`,;[]{}()=|<>&";
  std::set<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of(between, begin), text.size());
    const std::string word = text.substr(begin, end - begin);
    if (std::ranges::any_of(word, [](unsigned char c) { return std::isalnum(c) != 0 || c > 127; })) words.insert(word);
    begin = end + 1;
  }
  return words;
}

Result<Contents> read_contents(const fs::path& path) {
  HashedFiles hashed;
  std::error_code error;
  if (!fs::is_directory(path, error)) {
    if (auto ok = hashed.add(path, ""); !ok) return tl::unexpected(ok.error());
    for (const fs::path& file : weight_files_of(path))
      if (auto ok = hashed.add(file, file.filename().string()); !ok) return tl::unexpected(ok.error());
    return hashed.contents();
  }
  const auto files = files_below(path);
  if (!files) return tl::unexpected(files.error());
  for (const fs::path& file : *files)
    if (auto ok = hashed.add(file, file.lexically_relative(path).string()); !ok) return tl::unexpected(ok.error());
  return hashed.contents();
}

}  // namespace

Result<Contents> ContentReader::contents_of(const fs::path& path) {
  if (const auto known = known_.find(path); known != known_.end()) return known->second;
  auto contents = read_contents(path);
  if (contents) known_.emplace(path, *contents);
  return contents;
}

Result<std::string> ContentReader::with_what_it_names(const fs::path& file) {
  constexpr std::uint64_t longest = UINT64_C(1) << 20;
  const auto text = read_file(file, longest);
  if (!text) return tl::unexpected(text.error());
  std::set<std::string> digests;  // without names: a whole path is another one on another machine
  for (const std::string& word : words_in(replace_all(*text, "{here}", fs::absolute(parent_folder(file)).string()))) {
    const fs::path named = parent_folder(file) / word;  // a whole path stays what it is
    std::error_code error;
    if (!fs::is_regular_file(named, error) && !fs::is_directory(named, error)) continue;
    const auto contents = contents_of(named);
    if (!contents) return tl::unexpected(contents.error());
    digests.insert(contents->digest);
  }
  Hasher hasher;
  hasher.add(*text);
  for (const std::string& digest : digests) hasher.add(digest);
  return hasher.finish().hex();
}

Result<std::string> ContentReader::beside(const fs::path& model) {
  std::error_code error;
  const fs::path file = fs::is_directory(model, error) ? model / "model.onnx" : model;
  if (fs::is_directory(test_data_of(file), error)) return digest_of_beside(file);  // that model's own
  const fs::path folder = parent_folder(file);
  if (const auto known = beside_.find(folder); known != beside_.end()) return known->second;
  auto digest = digest_of_beside(file);
  if (digest) beside_.emplace(folder, *digest);
  return digest;
}

Result<std::string> ContentReader::digest_of_beside(const fs::path& file) {
  std::error_code error;
  std::vector<fs::path> found = test_data_beside(file);
  const fs::path description = parent_folder(file) / "culprit.yaml";
  const bool is_described = fs::exists(description, error);
  if (found.empty() && !is_described) return std::string();
  std::ranges::sort(found);
  Hasher hasher;
  if (is_described) {
    const auto described = with_what_it_names(description);
    if (!described) return tl::unexpected(described.error());
    hasher.add(*described);
  }
  for (const fs::path& path : found) {
    const auto contents = contents_of(path);
    if (!contents) return tl::unexpected(contents.error());
    hasher.add(path.filename().string()).add(contents->digest);
  }
  return hasher.finish().hex();
}

}  // namespace culprit
