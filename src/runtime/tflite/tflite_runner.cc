// Models of TFLite by LiteRT's compiled models, on the CPU.

#include "base/file.h"
#include "base/text.h"
#include "runtime/open_runner.h"
#include "runtime/tflite/known_model.h"
#include "runtime/tflite/tflite_session.h"

namespace culprit {
namespace {

using litert::LiteRtApi;

/// The library does not tell it; scripts/setup writes it down beside it.
std::string version_beside(const std::filesystem::path& library) {
  const auto version = read_file(library.parent_path() / "version", 100);
  return version ? printable(trim(*version)) : "of unknown version";
}

class TfliteRunner : public Runner {
 public:
  TfliteRunner(const LiteRtApi& api, std::string version)
      : api_(api), version_(std::move(version)), environment_(api.DestroyEnvironment) {}

  Result<void> start() {
    if (auto ok = good(api_.CreateEnvironment(0, nullptr, environment_.place()), "start"); !ok) return ok;
    return try_known_model();
  }

  [[nodiscard]] std::string name() const override { return std::string(tflite_kind); }
  [[nodiscard]] std::string version() const override { return version_; }

  Result<std::unique_ptr<RunnerSession>> load(const std::filesystem::path& model,
                                              const SessionOptions& options) override {
    auto bytes = read_file(model);
    if (!bytes) return tl::unexpected(bytes.error());
    return load(ModelInMemory{std::move(*bytes), {}}, options);
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    return open_tflite_session(api_, environment_.get(), std::move(model.bytes), options);
  }

 private:
  /// The library's functions take other arguments in other versions: what they make of x + x says whether they are
  /// ours.
  Result<void> try_known_model() {
    auto session = load(ModelInMemory{std::string(litert::known_model()), {}}, {});
    if (!session) return tl::unexpected(session.error());
    const auto sum = (*session)->run({{"x", Tensor::of<float>({1, 2}, {1.5F, -3})}});
    if (!sum) return tl::unexpected(sum.error());
    if (sum->size() == 1 && sum->front().value.identical(Tensor::of<float>({1, 2}, {3, -6}))) return {};
    return fail(ErrorKind::unsupported, "this LiteRT computes x + x wrong, so it is not one that Culprit knows",
                "scripts/setup tflite brings the version that works");
  }

  LiteRtApi api_;
  std::string version_;
  LiteRtOwned environment_;
};

}  // namespace

Result<std::unique_ptr<Runner>> open_tflite(const std::filesystem::path& library) {
  const auto api = litert::load_api(library);
  if (!api) return tl::unexpected(api.error());
  auto runner = std::make_unique<TfliteRunner>(*api, version_beside(library));
  if (auto ok = runner->start(); !ok) return tl::unexpected(ok.error());
  return runner;
}

}  // namespace culprit
