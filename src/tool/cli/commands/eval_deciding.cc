#include "cli/commands/eval_deciding.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.h"
#include "base/meant_word.h"
#include "base/text.h"

namespace culprit {
namespace {

/// One of detectors/*.yaml by its name, else a file that is written alike.
Result<DetectorSpec> detector_of(const std::string& text) {
  std::vector<std::string> names;
  for (DetectorSpec& spec : preset_detectors()) {
    if (spec.name == text) return std::move(spec);
    names.push_back(spec.name);
  }
  std::error_code ignored;
  if (std::filesystem::is_regular_file(text, ignored)) {
    const auto written = read_file(text);
    if (!written) return tl::unexpected(written.error());
    return read_detector_spec(*written, printable(text));
  }
  const std::string near = meant_word(text, names);
  return fail(ErrorKind::usage,
              fmt::format("--detector {}: there is no such detector, and no such file", printable(text, 200)),
              near.empty() ? "there are " + join(names, ", ") + "; or describe it in a file (docs/decisions.md)"
                           : "did you mean '" + near + "'?");
}

Result<void> belongs_to(const char* flag, const char* wanted, std::string& task) {
  if (!task.empty() && task != "auto" && task != wanted)
    return fail(ErrorKind::usage, fmt::format("{} is for {}, and the task is {}", flag, wanted, printable(task, 60)));
  task = wanted;
  return {};
}

}  // namespace

void add_deciding(const Flags& group, DecidingFlags& flags) {
  group.value("--detector", flags.detector, "NAME|FILE");
  group.toggle("--softmax", flags.softmax);
  group.toggle("--curves", flags.curves);
}

Result<void> resolve(const DecidingFlags& flags, std::string& task, TaskSettings& settings) {
  if (!flags.detector.empty()) {
    if (auto ok = belongs_to("--detector", "detection", task); !ok) return ok;
    auto detector = detector_of(flags.detector);
    if (!detector) return tl::unexpected(detector.error());
    settings.detector = std::move(*detector);
  }
  if (flags.curves) {
    if (auto ok = belongs_to("--curves", "classification", task); !ok) return ok;
    settings.curves = true;
  }
  if (!flags.softmax) return {};
  settings.softmax = true;
  return belongs_to("--softmax", "classification", task);
}

}  // namespace culprit
