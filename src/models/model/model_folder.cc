#include "model/model_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "model.onnx";
constexpr std::size_t most_listed = 5;

/// Their names, in order. A folder that cannot be read has none.
std::vector<std::string> models_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    if (entry->path().extension() == ".onnx" && entry->is_regular_file(ignored))
      names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace

fs::path model_file(const fs::path& named) {
  std::error_code ignored;
  if (!fs::is_directory(named, ignored)) return named;
  return fs::is_regular_file(named / file_name, ignored) ? named / file_name : named;
}

Error no_model_in(const fs::path& folder) {
  std::vector<std::string> names = models_in(folder);
  const std::string where = printable(folder.string());
  if (names.empty())
    return {ErrorKind::bad_input, where + ": a folder without a model.onnx or a saved_model.pb",
            "name an ONNX file, a SavedModel of TensorFlow, or a folder with a model.onnx (and a culprit.yaml that "
            "says how it is fed)"};
  if (names.size() == 1)
    return {ErrorKind::bad_input, where + ": a folder without a model.onnx",
            "did you mean " + printable((folder / names.front()).string()) + "?"};
  const std::size_t count = names.size();
  if (count > most_listed) names.resize(most_listed);
  for (std::string& name : names) name = printable(name, 100);
  return {ErrorKind::bad_input,
          fmt::format("{}: a folder with {} models, and none of them is called model.onnx: {}{}", where, count,
                      join(names, ", "), count > most_listed ? ", ..." : ""),
          "name one of them"};
}

}  // namespace culprit
