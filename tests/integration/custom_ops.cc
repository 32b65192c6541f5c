// A library with one custom operator, culprit.test.Twice.
#include <onnxruntime_cxx_api.h>

namespace {

struct TwiceKernel {
  OrtStatusPtr ComputeV2(OrtKernelContext* raw) {
    Ort::KernelContext context(raw);
    const auto input = context.GetInput(0);
    const auto shape = input.GetTensorTypeAndShapeInfo().GetShape();
    auto output = context.GetOutput(0, shape.data(), shape.size());
    const std::size_t count = input.GetTensorTypeAndShapeInfo().GetElementCount();
    // Not GetTensorData: the header gives it a function that libraries before 1.23 do not have.
    void* first = nullptr;
    Ort::ThrowOnError(
        Ort::GetApi().GetTensorMutableData(const_cast<OrtValue*>(static_cast<const OrtValue*>(input)), &first));
    for (std::size_t i = 0; i < count; ++i) output.GetTensorMutableData<float>()[i] = 2 * static_cast<float*>(first)[i];
    return nullptr;
  }
};

constexpr std::uint32_t api_version = 19;  // so that every library takes it

struct Twice : Ort::CustomOpBase<Twice, TwiceKernel, true> {
  Twice() { OrtCustomOp::version = api_version; }
  OrtStatusPtr CreateKernelV2(const OrtApi& /*api*/, const OrtKernelInfo* /*info*/, void** kernel) const {
    *kernel = new TwiceKernel();
    return nullptr;
  }
  const char* GetName() const { return "Twice"; }
  std::size_t GetInputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetInputType(std::size_t /*index*/) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
  std::size_t GetOutputTypeCount() const { return 1; }
  ONNXTensorElementDataType GetOutputType(std::size_t /*index*/) const { return ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT; }
};

}  // namespace

extern "C" OrtStatus* ORT_API_CALL RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* base);
extern "C" OrtStatus* ORT_API_CALL RegisterCustomOps(OrtSessionOptions* options, const OrtApiBase* base) {
  Ort::InitApi(base->GetApi(api_version));
  static const Twice twice;
  static Ort::CustomOpDomain domain("culprit.test");
  domain.Add(&twice);
  Ort::UnownedSessionOptions(options).Add(domain);
  return nullptr;
}
