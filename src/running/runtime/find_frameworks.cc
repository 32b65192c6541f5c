// Looks for the libraries of other frameworks than ONNX Runtime.
#include <fmt/format.h>

#include <cstdlib>

#include "base/cache_folder.h"
#include "base/text.h"
#include "runtime/find_library.h"
#include "runtime/is_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

struct Framework {
  const char* name;      ///< in words
  const char* variable;  ///< that can name it
  fs::path in_cache;     ///< below the cache's folder of frameworks
  const char* setup;     ///< what brings it
};

Result<fs::path> find_framework(const Framework& framework) {
  const std::string hint = fmt::format("scripts/setup {} brings it", framework.setup);
  if (const char* named = std::getenv(framework.variable); named != nullptr && *named != '\0') {
    if (is_file(named)) return fs::absolute(named);
    return fail(ErrorKind::unsupported, fmt::format("{}: no file at {}", framework.variable, printable(named)),
                fmt::format("it names {}; {}", framework.in_cache.filename().string(), hint));
  }
  if (cache_folder().empty())
    return fail(ErrorKind::unsupported,
                fmt::format("{} is looked for in the cache folder, and HOME is not set", framework.name),
                fmt::format("set HOME, CULPRIT_CACHE or {}", framework.variable));
  fs::path file = cache_folder() / "frameworks" / framework.in_cache;
  if (is_file(file)) return file;
  return fail(ErrorKind::unsupported, fmt::format("no {}: {} is not there", framework.name, file.string()), hint);
}

}  // namespace

Result<fs::path> find_tflite() {
  return find_framework({"LiteRT, which runs TFLite models", "CULPRIT_TFLITE", "tflite/libLiteRt.so", "tflite"});
}

Result<fs::path> find_tensorflow() {
  return find_framework(
      {"TensorFlow", "CULPRIT_TENSORFLOW", "tensorflow/tensorflow/libtensorflow_cc.so.2", "tensorflow"});
}

RunnersByFormat find_other_runners() {
  const auto runner_in = [](const Result<fs::path>& library, std::string_view kind) {
    return library.map([&](const fs::path& file) { return RunnerSpec{file, std::string(kind)}; });
  };
  const Result<RunnerSpec> tflite = runner_in(find_tflite(), tflite_kind);
  // Python makes a graph of it, which TensorFlow runs.
  const auto python = find_keras();
  const Result<RunnerSpec> keras =
      python ? runner_in(find_tensorflow(), tensorflow_kind) : Result<RunnerSpec>(tl::unexpected(python.error()));
  const Result<RunnerSpec> tensorflow = runner_in(find_tensorflow(), tensorflow_kind);
  return {{ModelFormat::tflite, tflite},
          {ModelFormat::saved_model, tensorflow},
          {ModelFormat::frozen_graph, tensorflow},
          {ModelFormat::keras, keras}};
}

Result<RunnerSpec> runner_for(const fs::path& model, const RunnerSpec& onnx, const RunnersByFormat& others) {
  const ModelFormat format = format_of(model);
  if (format == ModelFormat::onnx) return onnx;
  if (const auto other = others.find(format); other != others.end()) return other->second;
  return fail(ErrorKind::unsupported, fmt::format("nobody here runs a model of the format {}", name_of(format)));
}

Result<fs::path> find_keras() {
  return find_framework({"Python with Keras", "CULPRIT_KERAS", "tensorflow/bin/python", "tensorflow"});
}

}  // namespace culprit
