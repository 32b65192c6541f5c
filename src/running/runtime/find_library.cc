// Looks for libraries of ONNX Runtime: a file, the package beside this one, the cache folder that scripts/setup fills,
// the system.
#include "runtime/find_library.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "base/cache_folder.h"
#include "base/text.h"
#include "runtime/is_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// libonnxruntime.so, .so.1 or .so.1.31.1 in this folder; of several, the one with the longest name, which is the most
/// exact.
std::optional<fs::path> library_in(const fs::path& folder) {
  std::optional<fs::path> best;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const bool fits = name == "libonnxruntime.so" || name.starts_with("libonnxruntime.so.");
    if (!fits || !is_file(entry->path())) continue;
    const auto rank = [](const fs::path& path) { return std::pair(path.native().size(), path.native()); };
    if (!best || rank(*best) < rank(entry->path())) best = entry->path();
  }
  return best;
}

/// "a.so, b.so.1 and 3 more", for messages; "no library at all".
std::string libraries_in(const fs::path& folder) {
  constexpr std::size_t most = 4;
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.ends_with(".so") || name.find(".so.") != std::string::npos) names.push_back(printable(name, 60));
  }
  if (names.empty()) return "no library at all";
  std::ranges::sort(names);
  const std::size_t more = names.size() - std::min(names.size(), most);
  names.resize(names.size() - more);
  return join(names, ", ") + (more > 0 ? " and " + std::to_string(more) + " more" : "");
}

std::vector<fs::path> system_folders() {
  std::vector<fs::path> folders;
  for (const std::string& folder : split(environment("LD_LIBRARY_PATH"), ':'))
    if (!folder.empty()) folders.emplace_back(folder);
  for (const char* folder : {"/usr/local/lib", "/usr/local/lib64", "/usr/lib/x86_64-linux-gnu",
                             "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"})
    folders.emplace_back(folder);
  return folders;
}

/// Python packages lie side by side: culprit/_bin/culprit, onnxruntime/capi.
std::optional<fs::path> folder_of_package_beside() {
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  if (error || folder.filename() != "_bin") return std::nullopt;
  return folder.parent_path().parent_path() / "onnxruntime" / "capi";
}

Result<fs::path> find_version(const std::string& version) {
  if (cache_folder().empty())
    return fail(ErrorKind::not_found,
                "ONNX Runtime " + version + " is looked for in the cache folder, and HOME is not set",
                "set HOME or CULPRIT_CACHE, or name the library's file");
  const fs::path folder = cache_folder() / "runtimes" / version;
  if (auto library = library_in(folder)) return *library;
  return fail(ErrorKind::not_found, "ONNX Runtime " + version + " is not in " + folder.string(),
              "scripts/setup runtime " + version + " brings it");
}

/// 1.22 or 1.22.1
bool is_version(const std::string& text) {
  const auto pieces = split(text, '.');
  const auto is_number = [](const std::string& piece) {
    return !piece.empty() && std::ranges::all_of(piece, [](char c) { return '0' <= c && c <= '9'; });
  };
  return (pieces.size() == 2 || pieces.size() == 3) && std::ranges::all_of(pieces, is_number);
}

Result<fs::path> find_named(const std::string& path_or_version) {
  if (is_version(path_or_version)) return find_version(path_or_version);
  const fs::path path(path_or_version);
  if (is_file(path)) return fs::absolute(path);
  if (auto library = library_in(path)) return fs::absolute(*library);
  std::error_code error;
  if (fs::is_directory(path, error))
    return fail(ErrorKind::not_found,
                "the folder " + printable(path.string()) + " holds no libonnxruntime.so.* (it holds " +
                    libraries_in(path) + ")",
                "wheels of ONNX Runtime have it from 1.19 on, in onnxruntime/capi: name that folder, or "
                "`scripts/setup runtime 1.19.2` brings the oldest that works");
  return fail(ErrorKind::not_found, "no ONNX Runtime library at " + path.string(),
              "name the file libonnxruntime.so.*, a folder that holds it, or a version such as 1.31.1");
}

}  // namespace

Result<FoundRuntime> look_for_onnxruntime(const std::string& path_or_version) {
  const auto from = [](RuntimeSource source) {
    return [source](const fs::path& library) { return FoundRuntime{library, source}; };
  };
  if (!path_or_version.empty() && path_or_version != "default")
    return find_named(path_or_version).map(from(RuntimeSource::argument));
  if (const std::string named = environment("CULPRIT_RUNTIME"); !named.empty()) {
    auto found = find_named(named);
    if (!found) found.error().message = "CULPRIT_RUNTIME: " + found.error().message;
    return found.map(from(RuntimeSource::environment));
  }
  std::vector<std::pair<RuntimeSource, fs::path>> places;
  if (const auto beside = folder_of_package_beside()) places.emplace_back(RuntimeSource::package_beside, *beside);
  if (!cache_folder().empty()) places.emplace_back(RuntimeSource::cache, cache_folder() / "runtimes" / "default");
  for (const fs::path& folder : system_folders()) places.emplace_back(RuntimeSource::system, folder);
  std::vector<std::string> looked_at;
  for (const auto& [source, folder] : places) {
    if (const auto library = library_in(folder)) return FoundRuntime{*library, source};
    looked_at.push_back(folder.string());
  }
  return fail(ErrorKind::not_found,
              "no ONNX Runtime library found: CULPRIT_RUNTIME is not set, and none is in " + join(looked_at, ", "),
              "scripts/setup brings one, or name a file with --runtime");
}

Result<fs::path> find_onnxruntime(const std::string& path_or_version) {
  return look_for_onnxruntime(path_or_version).map(&FoundRuntime::library);
}

}  // namespace culprit
