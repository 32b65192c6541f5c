#include "base/file.h"
#include "base/text.h"
#include "runtime/open_runner.h"
#include "runtime/tensorflow/known_graph.h"
#include "runtime/tensorflow/tensorflow_session.h"

namespace culprit {
namespace {

constexpr const char* saved_model_file = "saved_model.pb";

class TensorflowRunner : public Runner {
 public:
  explicit TensorflowRunner(const tf::Api& api) : api_(api) {}

  [[nodiscard]] std::string name() const override { return std::string(tensorflow_kind); }
  [[nodiscard]] std::string version() const override { return printable(api_.Version(), 60); }

  Result<std::unique_ptr<RunnerSession>> load(const fs::path& model, const SessionOptions& options) override {
    std::error_code ignored;
    const fs::path folder = fs::is_directory(model, ignored)       ? model
                            : model.filename() == saved_model_file ? fs::absolute(model).parent_path()
                                                                   : fs::path();
    auto bytes = read_file(folder.empty() ? model : folder / saved_model_file);
    if (!bytes) return tl::unexpected(bytes.error());
    auto session = std::make_unique<TensorflowSession>(api_, options);
    auto ok = folder.empty() ? session->open_graph(*bytes) : session->open_saved_model(folder, *bytes);
    if (!ok) return tl::unexpected(ok.error());
    return session;
  }

  Result<std::unique_ptr<RunnerSession>> load(ModelInMemory model, const SessionOptions& options) override {
    if (!model.outside.empty()) return fail(ErrorKind::internal, "a graph of TensorFlow has all its constants inside");
    auto session = std::make_unique<TensorflowSession>(api_, options);
    if (auto ok = session->open_graph(model.bytes); !ok) return tl::unexpected(ok.error());
    return session;
  }

  Result<void> try_known_graph() {
    auto session = load(ModelInMemory{std::string(tf::known_graph), {}}, {});
    if (!session) return tl::unexpected(session.error());
    const auto sum = (*session)->run({{"x", Tensor::of<float>({1, 2}, {1.5F, -3})}});
    if (!sum) return tl::unexpected(sum.error());
    if (sum->size() == 1 && sum->front().value.identical(Tensor::of<float>({1, 2}, {3, -6}))) return {};
    return fail(ErrorKind::unsupported, "this TensorFlow computes x + x wrong, so it is not one that Culprit knows",
                "scripts/setup tensorflow brings the version that works");
  }

 private:
  tf::Api api_;
};

}  // namespace

Result<std::unique_ptr<Runner>> open_tensorflow(const fs::path& library) {
  const auto api = tf::load_api(library);
  if (!api) return tl::unexpected(api.error());
  auto runner = std::make_unique<TensorflowRunner>(*api);
  if (auto ok = runner->try_known_graph(); !ok) return tl::unexpected(ok.error());
  return runner;
}

}  // namespace culprit
