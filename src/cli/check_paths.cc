#include "cli/check_paths.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "base/file.h"
#include "base/text.h"

namespace culprit {
namespace {

tl::unexpected<Error> unfit(const fs::path& out, const std::string& why) {
  return fail(ErrorKind::usage, fmt::format("-o {}: {}", printable(out.string()), why), "name another file");
}

Result<void> libraries_must_be_there(const CheckArguments& arguments) {
  std::error_code error;
  for (const fs::path& library : arguments.check.session.custom_ops) {
    if (!fs::is_regular_file(library, error)) {
      return fail(ErrorKind::usage, fmt::format("--custom-ops {}: no such file", library.string()),
                  "give the path of a shared library");
    }
  }
  return {};
}

/// A report is text. Weights and samples hold a zero byte before long.
bool is_text(const fs::path& file) {
  std::array<char, 4096> head{};
  std::ifstream in(file, std::ios::binary);
  in.read(head.data(), head.size());
  return std::find(head.begin(), head.begin() + in.gcount(), '\0') == head.begin() + in.gcount();
}

std::vector<fs::path> models_of(const CheckArguments& arguments) {
  std::vector<fs::path> models = arguments.models;
  if (!arguments.variant.empty()) models.push_back(arguments.variant);
  return models;
}

Result<void> output_must_be_fine(const CheckArguments& arguments) {
  const fs::path& out = arguments.output;
  if (out.empty()) return {};
  std::error_code error;
  for (const fs::path& model : models_of(arguments)) {
    if (fs::equivalent(out, model, error)) return unfit(out, "that is a model to check, and would be overwritten");
  }
  if (out.extension() == ".onnx") {
    return fail(ErrorKind::usage,
                fmt::format("-o {}: a report is written there, and that is the name of a model", out.string()),
                "name a .txt or .json file; culprit optimize writes models");
  }
  const fs::path parent = out.has_parent_path() ? out.parent_path() : fs::path(".");
  if (!fs::is_directory(parent, error) || fs::is_directory(out, error)) {
    return fail(ErrorKind::usage, fmt::format("-o {}: not a file in a folder that is there", out.string()),
                "make the folder first, or name another file");
  }
  if (fs::is_regular_file(out, error) && !is_text(out)) {
    return unfit(out, "there is a file that is no report, and it is not replaced");
  }
  return {};
}

/// The run folder replaces what an earlier run left in it.
Result<void> run_folder_must_hold_no_model(const CheckArguments& arguments) {
  std::error_code error;
  if (arguments.run_dir.empty() || !fs::exists(arguments.run_dir, error)) return {};
  const fs::path folder = fs::weakly_canonical(arguments.run_dir, error);
  for (const fs::path& model : models_of(arguments)) {
    const fs::path inside = fs::weakly_canonical(model, error).lexically_relative(folder);
    if (inside.empty() || *inside.begin() == "..") continue;
    return fail(ErrorKind::usage,
                fmt::format("--run-dir {}: the model {} lies in it, and would go when the new variants come",
                            printable(arguments.run_dir.string()), printable(model.string())),
                "name another folder");
  }
  return {};
}

}  // namespace

Result<void> places_must_be_fine(const CheckArguments& arguments) {
  return libraries_must_be_there(arguments).and_then([&] { return output_must_be_fine(arguments); }).and_then([&] {
    return run_folder_must_hold_no_model(arguments);
  });
}

}  // namespace culprit
