#include "runtime/onnxruntime/rounding_op.h"

#include <cstring>

#include "base/random.h"
#include "tensor/dtype.h"
#include "tensor/nudge.h"

namespace culprit::ort {
namespace {

constexpr std::uint32_t oldest_api = 20;  // so that every library takes it

struct Kernel {
  std::uint64_t seed = 0;
  unsigned ulps = 1;

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
    nudge(type, {to, size}, random, ulps);
    return nullptr;
  }
};

struct Operator : Ort::CustomOpBase<Operator, Kernel, true> {
  Operator() { OrtCustomOp::version = oldest_api; }

  OrtStatusPtr CreateKernelV2(const OrtApi& /*api*/, const OrtKernelInfo* raw, void** kernel) const {
    const Ort::ConstKernelInfo info(raw);
    *kernel = new Kernel{static_cast<std::uint64_t>(info.GetAttribute<std::int64_t>("seed")),
                         static_cast<unsigned>(info.GetAttribute<std::int64_t>("ulps"))};
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
