#include "optimizer/onnx_optimizer/catalog.h"
#include "optimizer/onnx_optimizer/session.h"
#include "optimizer/optimizer.h"

namespace culprit {
namespace {

class OnnxOptimizer final : public Optimizer {
 public:
  [[nodiscard]] std::string name() const override { return "onnx_optimizer"; }
  [[nodiscard]] std::string version() const override { return CULPRIT_OPTIMIZER_VERSION; }
  [[nodiscard]] std::vector<PassInfo> passes() const override { return onnx_optimizer_passes(); }
  std::unique_ptr<OptimizerSession> import(const onnx::ModelProto& model, const ImportPlace& /*place*/) override {
    return import_into_onnx_optimizer(model);
  }
  [[nodiscard]] bool loses_types() const override { return true; }
};

}  // namespace

std::unique_ptr<Optimizer> make_onnx_optimizer() { return std::make_unique<OnnxOptimizer>(); }

}  // namespace culprit
