#include "runtime/onnxruntime/rounding_op.h"

#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "tensor/dtype.h"
#include "tensor/imitate_rounding.h"
#include "tensor/part_of_a_step.h"

namespace culprit::ort {
namespace {

constexpr std::int64_t no_axis = -100;
constexpr std::uint32_t oldest_api = 19;  // so that every library takes it

/// Not GetTensorRawData: the header gives it a function that libraries before 1.23 do not have.
const void* data_of(const Ort::ConstValue& value) {
  void* data = nullptr;
  const OrtValue* raw = value;
  Ort::ThrowOnError(Ort::GetApi().GetTensorMutableData(const_cast<OrtValue*>(raw), &data));
  return data;
}

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
    const void* from = data_of(input);
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

/// `culprit.PartOfAStep`: the values, and how long a step is, or steps are.
struct StepKernel {
  std::uint64_t seed = 0;

  OrtStatusPtr ComputeV2(OrtKernelContext* raw) const {
    const Ort::KernelContext context(raw);
    const auto input = context.GetInput(0), step = context.GetInput(1);
    const auto shape = input.GetTensorTypeAndShapeInfo().GetShape();
    const std::size_t count = input.GetTensorTypeAndShapeInfo().GetElementCount();
    auto output = context.GetOutput(0, shape.data(), shape.size());
    if (count == 0) return nullptr;
    auto* to = static_cast<float*>(output.GetTensorMutableRawData());
    std::memcpy(to, data_of(input), count * sizeof(float));
    const std::size_t steps = step.GetTensorTypeAndShapeInfo().GetElementCount();
    Random random(seed);
    move_by_part_of_a_step({to, count}, {static_cast<const float*>(data_of(step)), steps}, random);
    return nullptr;
  }
};

struct StepOperator : Ort::CustomOpBase<StepOperator, StepKernel, true> {
  StepOperator() { OrtCustomOp::version = oldest_api; }

  OrtStatusPtr CreateKernelV2(const OrtApi& /*api*/, const OrtKernelInfo* raw, void** kernel) const {
    const Ort::ConstKernelInfo info(raw);
    auto made = std::make_unique<StepKernel>();
    made->seed = static_cast<std::uint64_t>(info.GetAttribute<std::int64_t>("seed"));
    *kernel = made.release();
    return nullptr;
  }
  const char* GetName() const { return "PartOfAStep"; }
  std::size_t GetInputTypeCount() const { return 2; }
  ONNXTensorElementDataType GetInputType(std::size_t /*index*/) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
  std::size_t GetOutputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetOutputType(std::size_t /*index*/) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
};

}  // namespace

Ort::CustomOpDomain& rounding_domain() {
  static const Operator rounding;
  static const StepOperator part_of_a_step;
  static Ort::CustomOpDomain domain = [] {
    Ort::CustomOpDomain made("culprit");
    made.Add(&rounding);
    made.Add(&part_of_a_step);
    return made;
  }();
  return domain;
}

}  // namespace culprit::ort
