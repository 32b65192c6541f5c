#include "runtime/onnxruntime/rounding_op.h"

#include <cstring>
#include <memory>
#include <vector>

#include "base/random.h"
#include "tensor/dtype.h"
#include "tensor/imitate_rounding.h"

namespace culprit::ort {
namespace {

constexpr std::int64_t no_axis = -100;
constexpr std::uint32_t oldest_api = 20;  // so that every library takes it

struct Kernel {
  std::uint64_t seed = 0;
  RoundingMoves rounding;

  OrtStatusPtr ComputeV2(OrtKernelContext* raw) const {
    const Ort::KernelContext context(raw);
    const auto input = context.GetInput(0);
    const auto info = input.GetTensorTypeAndShapeInfo();
    const auto shape = info.GetShape();
    auto output = context.GetOutput(0, shape.data(), shape.size());
    const auto type = dtype_from_onnx(static_cast<std::int32_t>(info.GetElementType())).value_or(DType::undefined);
    const std::size_t size = bytes_for(type, static_cast<std::int64_t>(info.GetElementCount()));
    if (size == 0) return nullptr;
    // Not GetTensorRawData: the header gives it a function that libraries before 1.23 do not have.
    void* from = nullptr;
    Ort::ThrowOnError(
        Ort::GetApi().GetTensorMutableData(const_cast<OrtValue*>(static_cast<const OrtValue*>(input)), &from));
    auto* to = static_cast<std::byte*>(output.GetTensorMutableRawData());
    std::memcpy(to, from, size);
    Random random(seed);
    imitate_rounding(type, shape, {to, size}, random, rounding);
    return nullptr;
  }
};

struct Operator : Ort::CustomOpBase<Operator, Kernel, true> {
  Operator() { OrtCustomOp::version = oldest_api; }

  OrtStatusPtr CreateKernelV2(const OrtApi& /*api*/, const OrtKernelInfo* raw, void** kernel) const {
    const Ort::ConstKernelInfo info(raw);
    auto made = std::make_unique<Kernel>();
    made->seed = static_cast<std::uint64_t>(info.GetAttribute<std::int64_t>("seed"));
    made->rounding.ulps = static_cast<unsigned>(info.GetAttribute<std::int64_t>("ulps"));
    made->rounding.may_be_exact = info.GetAttribute<std::int64_t>("may_be_exact") != 0;
    made->rounding.least = static_cast<double>(info.GetAttribute<float>("least"));
    made->rounding.is_transform = info.GetAttribute<std::int64_t>("is_transform") != 0;
    made->rounding.terms = info.GetAttribute<std::int64_t>("terms");
    // A list that is empty cannot be asked for: the first is always -100, which is no axis.
    made->rounding.summed_axes = info.GetAttributes<std::int64_t>("summed_axes");
    std::erase(made->rounding.summed_axes, no_axis);
    *kernel = made.release();
    return nullptr;
  }
  const char* GetName() const { return "Rounding"; }
  std::size_t GetInputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetInputType(std::size_t /*index*/) const { return any; }
  std::size_t GetOutputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetOutputType(std::size_t /*index*/) const { return any; }

 private:
  static constexpr auto any = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
};

}  // namespace

Ort::CustomOpDomain& rounding_domain() {
  static const Operator rounding;
  static Ort::CustomOpDomain domain = [] {
    Ort::CustomOpDomain made("culprit");
    made.Add(&rounding);
    return made;
  }();
  return domain;
}

}  // namespace culprit::ort
