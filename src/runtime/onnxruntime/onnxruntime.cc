// ONNX Runtime as a Runner.
#include <algorithm>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <utility>

#include "runtime/onnxruntime/api.h"
#include "runtime/onnxruntime/library.h"
#include "runtime/onnxruntime/optimization_levels.h"
#include "runtime/onnxruntime/rounding_op.h"
#include "runtime/onnxruntime/value_types.h"
#include "runtime/onnxruntime/values.h"
#include "runtime/runner.h"

namespace culprit {
namespace {

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
  for (const auto& library : options.custom_ops) made.RegisterCustomOpsLibrary(library.c_str());
  return made;
}

class OrtSession : public RunnerSession {
 public:
  OrtSession(const Ort::Env& env, const std::filesystem::path& model, const SessionOptions& options)
      : level_(options.level),
        is_profiled_(!options.profile_to.empty()),
        env_(env),
        session_(env, model.c_str(), to_ort(options)) {
    describe();
  }

  OrtSession(const Ort::Env& env, ModelInMemory model, const SessionOptions& options)
      : level_(options.level),
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
  explicit OrtRunner(std::string version) : version_(std::move(version)), env_(ORT_LOGGING_LEVEL_ERROR, "culprit") {}

  [[nodiscard]] std::string name() const override { return "onnxruntime"; }
  [[nodiscard]] std::string version() const override { return version_; }

  Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                              const SessionOptions& options) override {
    return ort::guarded(
        [&]() -> Result<std::unique_ptr<RunnerSession>> { return std::make_unique<OrtSession>(env_, model, options); });
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    return ort::guarded([&]() -> Result<std::unique_ptr<RunnerSession>> {
      return std::make_unique<OrtSession>(env_, std::move(model), options);
    });
  }

 private:
  std::string version_;
  Ort::Env env_;
};

}  // namespace

Result<std::unique_ptr<Runner>> open_onnxruntime(const std::filesystem::path& library) {
  auto version = ort::load_library(library);
  if (!version) return tl::unexpected(version.error());
  return ort::guarded([&]() -> Result<std::unique_ptr<Runner>> { return std::make_unique<OrtRunner>(*version); });
}

}  // namespace culprit
