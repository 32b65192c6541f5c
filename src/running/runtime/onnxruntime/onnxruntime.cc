// ONNX Runtime as a Runner.
#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "base/file.h"
#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/library.h"
#include "runtime/onnxruntime/optimization_levels.h"
#include "runtime/onnxruntime/providers.h"
#include "runtime/onnxruntime/rounding_op.h"
#include "runtime/onnxruntime/value_types.h"
#include "runtime/onnxruntime/values.h"
#include "runtime/open_runner.h"

namespace culprit {
namespace {

/// For models that lie in memory.
constexpr const char* data_folder_entry = "session.model_external_initializers_file_folder_path";

Ort::SessionOptions to_ort(const SessionOptions& options) {
  Ort::SessionOptions made;
  made.SetGraphOptimizationLevel(ort::level_of(options.level));
  made.SetIntraOpNumThreads(options.threads);
  made.SetInterOpNumThreads(1);
  made.SetExecutionMode(ORT_SEQUENTIAL);
  made.SetLogSeverityLevel(ORT_LOGGING_LEVEL_ERROR);
  if (!options.save_optimized_to.empty()) made.SetOptimizedModelFilePath(options.save_optimized_to.c_str());
  if (!options.profile_to.empty()) made.EnableProfiling(options.profile_to.c_str());
  if (!options.disabled_steps.empty()) ort::disable(made, options.disabled_steps);
  ort::use_provider(made, options.provider);
  if (!options.data_folder.empty()) made.AddConfigEntry(data_folder_entry, options.data_folder.c_str());
  for (const auto& library : options.custom_ops) made.RegisterCustomOpsLibrary(library.c_str());
  return made;
}

/// Owns the inputs' bytes, and asks for all outputs, which go away at once.
class OrtBoundRun : public BoundRun {
 public:
  OrtBoundRun(Ort::Session& session, const std::vector<std::string>& outputs, std::vector<NamedTensor> inputs)
      : session_(session), inputs_(std::move(inputs)) {
    for (const std::string& output : outputs) outputs_.push_back(output.c_str());
  }
  Result<void> feed(const ort::Forms& forms, const Ort::Env& env) { return feed_.add(inputs_, forms, env); }

  Result<void> run() override {
    return ort::guarded([&]() -> Result<void> {
      session_.Run(options_, feed_.names().data(), feed_.values().data(), feed_.values().size(), outputs_.data(),
                   outputs_.size());
      return {};
    });
  }

 private:
  Ort::Session& session_;
  Ort::RunOptions options_;
  std::vector<NamedTensor> inputs_;
  ort::Feed feed_;  // sees these
  std::vector<const char*> outputs_;
};

constexpr std::uint32_t counts_memory = 23;  ///< of API numbers, the first that tells of its allocators

/// What the arena of the session held at most, in bytes; 0 where the headers are older than 1.23.
std::uint64_t most_held(const Ort::Session& session) {
#if ORT_API_VERSION >= 23
  try {
    const auto place = Ort::MemoryInfo::CreateCpu(OrtArenaAllocator, OrtMemTypeDefault);
    const auto stats = Ort::Allocator(session, place).GetStats().GetKeyValuePairs();
    const auto held = stats.find("MaxInUse");
    return held == stats.end() ? 0 : std::strtoull(held->second.c_str(), nullptr, 10);
  } catch (const Ort::Exception&) {  // an allocator of its own, which counts nothing
    return 0;
  }
#else
  (void)session;
  return 0;
#endif
}

class OrtSession : public RunnerSession {
 public:
  OrtSession(const Ort::Env& env, std::uint32_t api, const std::filesystem::path& model, const SessionOptions& options)
      : level_(options.level),
        api_(api),
        is_profiled_(!options.profile_to.empty()),
        env_(env),
        session_(env, model.c_str(), to_ort(options)) {
    describe();
  }

  OrtSession(const Ort::Env& env, std::uint32_t api, ModelInMemory model, const SessionOptions& options)
      : level_(options.level),
        api_(api),
        is_profiled_(!options.profile_to.empty()),
        env_(env),
        outside_(std::move(model.outside)),
        session_(nullptr) {
    if (auto ok = feed_.add(outside_, {}, env); !ok) throw std::runtime_error(ok.error().text());
    Ort::SessionOptions made = to_ort(options);
    made.Add(ort::rounding_domain());
    std::vector<std::string> names;
    for (const NamedTensor& tensor : outside_) names.push_back(tensor.name);
    if (!names.empty()) made.AddExternalInitializers(names, feed_.values());
    session_ = Ort::Session(env, model.bytes.data(), model.bytes.size(), made);
    describe();
  }

  [[nodiscard]] Level level() const override { return level_; }

  Result<std::vector<NamedTensor>> run(const std::vector<NamedTensor>& inputs) override {
    return ort::guarded([&] { return run_unguarded(inputs); });
  }

  Result<std::unique_ptr<BoundRun>> bind(const std::vector<NamedTensor>& inputs) override {
    return ort::guarded([&]() -> Result<std::unique_ptr<BoundRun>> {
      auto bound = std::make_unique<OrtBoundRun>(session_, outputs_, inputs);
      if (auto ok = bound->feed(input_forms_, env_); !ok) return tl::unexpected(ok.error());
      return bound;
    });
  }

  [[nodiscard]] std::uint64_t arena_bytes() const override { return api_ >= counts_memory ? most_held(session_) : 0; }

  Result<std::filesystem::path> end_profile() override {
    if (!std::exchange(is_profiled_, false)) return RunnerSession::end_profile();
    return ort::guarded([&]() -> Result<std::filesystem::path> {
      Ort::AllocatorWithDefaultOptions allocator;
      return std::filesystem::path(session_.EndProfilingAllocated(allocator).get());
    });
  }

 private:
  void describe() {
    input_forms_ = ort::input_forms(session_);
    output_forms_ = ort::output_forms(session_);
    Ort::AllocatorWithDefaultOptions allocator;
    for (std::size_t i = 0; i < session_.GetOutputCount(); ++i)
      outputs_.emplace_back(session_.GetOutputNameAllocated(i, allocator).get());
  }

  Result<std::vector<NamedTensor>> run_unguarded(const std::vector<NamedTensor>& inputs) {
    ort::Feed feed;
    if (auto ok = feed.add(inputs, input_forms_, env_); !ok) return tl::unexpected(ok.error());
    std::vector<const char*> names;
    for (const std::string& output : outputs_) names.push_back(output.c_str());
    auto values = session_.Run(Ort::RunOptions{}, feed.names().data(), feed.values().data(), feed.values().size(),
                               names.data(), names.size());
    std::vector<NamedTensor> results;
    for (std::size_t i = 0; i < values.size(); ++i) {
      auto parts = ort::parts_from(values[i], outputs_[i], output_forms_[outputs_[i]]);
      if (!parts) return tl::unexpected(parts.error());
      std::ranges::move(*parts, std::back_inserter(results));
    }
    return results;
  }

  Level level_;
  std::uint32_t api_;  ///< its number
  bool is_profiled_;
  const Ort::Env& env_;
  std::vector<NamedTensor> outside_;  // the session may keep to their bytes
  ort::Feed feed_;                    // sees these
  Ort::Session session_;
  ort::Forms input_forms_, output_forms_;
  std::vector<std::string> outputs_;
};

class OrtRunner : public Runner {
 public:
  explicit OrtRunner(std::string version)
      : version_(std::move(version)),
        env_(ORT_LOGGING_LEVEL_ERROR, "culprit"),
        providers_(ort::available_providers()) {}

  [[nodiscard]] std::string name() const override { return "onnxruntime"; }
  [[nodiscard]] std::string version() const override { return version_; }
  [[nodiscard]] std::vector<std::string> providers() const override { return providers_; }

  Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                              const SessionOptions& options) override {
    if (!options.data_folder.empty()) return load_apart(model, options);
    return ort::guarded([&]() -> Result<std::unique_ptr<RunnerSession>> {
      return std::make_unique<OrtSession>(env_, ort::api_number(version_), model, options);
    });
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    return ort::guarded([&]() -> Result<std::unique_ptr<RunnerSession>> {
      return std::make_unique<OrtSession>(env_, ort::api_number(version_), std::move(model), options);
    });
  }

 private:
  /// A file that lies apart from its data is loaded as bytes: of a file, the runtime looks beside it.
  Result<std::unique_ptr<RunnerSession>> load_apart(const std::filesystem::path& file, const SessionOptions& options) {
    auto bytes = read_file(file);
    if (!bytes) return tl::unexpected(bytes.error());
    return load(ModelInMemory{std::move(*bytes), {}}, options);
  }

  std::string version_;
  Ort::Env env_;
  std::vector<std::string> providers_;
};

}  // namespace

Result<std::unique_ptr<Runner>> open_onnxruntime(const std::filesystem::path& library) {
  auto version = ort::load_library(library);
  if (!version) return tl::unexpected(version.error());
  return ort::guarded([&]() -> Result<std::unique_ptr<Runner>> { return std::make_unique<OrtRunner>(*version); });
}

}  // namespace culprit
