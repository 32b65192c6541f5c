#include "runtime/optimize_by_loading.h"

#include <algorithm>
#include <mutex>
#include <string_view>

#include "base/text.h"
#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/library.h"
#include "runtime/onnxruntime/optimization_levels.h"

namespace culprit {
namespace {

/// What the log says of transformers. It lives as long as the process, for the library keeps to its logger.
class Log {
 public:
  static Log& get() {
    static auto* log = new Log;
    return *log;
  }

  std::vector<TransformerRun> take() {
    const std::lock_guard lock(mutex_);
    return std::exchange(runs_, {});
  }

  /// "GraphTransformer ConstantFolding modified: 1 with status: OK"
  void hear(std::string_view line) {
    constexpr std::string_view before = "GraphTransformer ", behind = " modified: ";
    if (!line.starts_with(before)) return;
    line.remove_prefix(before.size());
    const auto end = line.find(behind);
    if (end == std::string_view::npos) return;
    const std::string name = printable(line.substr(0, end), 200);
    const std::lock_guard lock(mutex_);
    auto run = std::ranges::find(runs_, name, &TransformerRun::name);
    if (run == runs_.end()) run = runs_.insert(runs_.end(), {name, false});
    run->modified = run->modified || line.substr(end + behind.size()).starts_with('1');
  }

 private:
  std::mutex mutex_;
  std::vector<TransformerRun> runs_;
};

void ORT_API_CALL hear(void* /*parameter*/, OrtLoggingLevel /*severity*/, const char* /*category*/, const char* /*id*/,
                       const char* /*where*/, const char* message) {
  Log::get().hear(message);
}

const Ort::Env& environment() {
  static const auto* env = new Ort::Env(ORT_LOGGING_LEVEL_INFO, "culprit", hear, nullptr);
  return *env;
}

Ort::SessionOptions options_of(const LoadToOptimize& what) {
  Ort::SessionOptions options;
  options.SetGraphOptimizationLevel(ort::level_of(what.level));
  options.SetIntraOpNumThreads(1);
  options.SetInterOpNumThreads(1);
  options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_INFO);
  if (!what.disabled.empty()) ort::disable(options, what.disabled);
  if (!what.save_to.empty()) options.SetOptimizedModelFilePath(what.save_to.c_str());
  return options;
}

}  // namespace

Result<std::vector<TransformerRun>> optimize_by_loading(const std::filesystem::path& library,
                                                        const LoadToOptimize& what,
                                                        std::vector<TransformerRun>* ran_until_refused) {
  if (const auto version = ort::load_library(library); !version) return tl::unexpected(version.error());
  auto ran = ort::guarded([&]() -> Result<std::vector<TransformerRun>> {
    Log::get().take();
    const Ort::SessionOptions options = options_of(what);
    const Ort::Session session = what.model.empty()
                                     ? Ort::Session(environment(), what.file.c_str(), options)
                                     : Ort::Session(environment(), what.model.data(), what.model.size(), options);
    return Log::get().take();
  });
  if (!ran && ran_until_refused != nullptr) *ran_until_refused = Log::get().take();
  return ran;
}

void prepare_to_optimize(const std::filesystem::path& library) {
  if (!ort::load_library(library)) return;
  (void)ort::guarded([]() -> Result<void> {
    (void)environment();
    return {};
  });
}

Result<std::string> version_of_onnxruntime(const std::filesystem::path& library) { return ort::load_library(library); }

}  // namespace culprit
