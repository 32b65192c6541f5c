// ONNX Runtime as an Optimizer: what it saves of a model that it was told to load.
#include <onnx/onnx_pb.h>
#include <unistd.h>

#include <stdexcept>
#include <utility>

#include "model/external_data.h"
#include "model/model.h"
#include "model/order_by_use.h"
#include "optimizer/optimizer.h"
#include "runtime/optimize_by_loading.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

class OnnxRuntimeSession final : public OptimizerSession {
 public:
  OnnxRuntimeSession(const onnx::ModelProto& model, ImportPlace place)
      : declared_(model.graph().output()), place_(std::move(place)) {}

  void use(Weights& weights) override { weights_ = &weights; }

  bool may_match(const std::string& /*pass*/) override { return true; }

  /// In a fork: sessions start threads.
  onnx::ModelProto apply(const Recipe& recipe) override {
    if (std::exchange(is_used_up_, true)) throw std::logic_error("a session makes one variant");
    const auto level = level_named(recipe.level);
    if (!level) throw std::logic_error("the runtime has no level '" + recipe.level + "'");
    const fs::path saved = place_.scratch / ("saved-" + std::to_string(::getpid()) + ".onnx");
    std::vector<TransformerRun> refused;
    const auto ran = optimize_by_loading(place_.library, {{}, *level, recipe.disabled, saved, place_.file}, &refused);
    for (const TransformerRun& run : ran ? *ran : refused)
      if (run.modified) touched_.push_back(run.name);
    if (!ran) throw std::runtime_error(ran.error().text());
    return taken(saved);
  }

  [[nodiscard]] std::vector<std::string> touched() const override { return touched_; }

 private:
  onnx::ModelProto taken(const fs::path& saved) {
    auto model = load_proto(saved);
    std::error_code ignored;
    fs::remove(saved, ignored);
    if (!model) throw std::runtime_error("what the runtime saved cannot be read: " + model.error().text());
    // Weights that the model has outside still lie where it has them.
    if (auto whole = inline_external_data(*model, place_.file.parent_path()); !whole)
      throw std::runtime_error("what the runtime saved lacks data: " + whole.error().text());
    declare_as_given(*model->mutable_graph());
    // The elements of the model as given are of no more use, and lie where those of the variant will.
    if (weights_ != nullptr) *weights_ = {};
    order_by_use(*model->mutable_graph());  // the runtime saves its nodes in another order every time
    return std::move(*model);
  }

  /// The runtime declares what it inferred, which may be narrower: users see what the model declares.
  void declare_as_given(onnx::GraphProto& graph) const {
    for (auto& output : *graph.mutable_output()) {
      for (const auto& declared : declared_)
        if (declared.name() == output.name()) *output.mutable_type() = declared.type();
    }
  }

  google::protobuf::RepeatedPtrField<onnx::ValueInfoProto> declared_;  // outputs of the model
  ImportPlace place_;
  Weights* weights_ = nullptr;  // of a large model
  bool is_used_up_ = false;
  std::vector<std::string> touched_;
};

class OnnxRuntimeOptimizer final : public Optimizer {
 public:
  [[nodiscard]] std::string name() const override { return "onnxruntime"; }
  [[nodiscard]] std::string version() const override { return ""; }
  [[nodiscard]] std::vector<PassInfo> passes() const override { return {}; }
  std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model, const ImportPlace& place) override {
    prepare_to_optimize(place.library);
    return std::make_unique<OnnxRuntimeSession>(model, place);
  }
};

}  // namespace

std::unique_ptr<Optimizer> make_onnxruntime_optimizer() { return std::make_unique<OnnxRuntimeOptimizer>(); }

}  // namespace culprit
