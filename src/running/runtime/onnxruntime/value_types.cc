#include "runtime/onnxruntime/value_types.h"

#include <onnx/onnx_pb.h>

namespace culprit::ort {
namespace {

/// The element type of the tensor at the bottom; on the way, what is directly inside.
void read(const Ort::TypeInfo& type, Form& form, bool is_outermost) {
  const ONNXType kind = type.GetONNXType();
  if (!is_outermost && form.inside == ONNX_TYPE_UNKNOWN) form.inside = kind;
  switch (kind) {
    case ONNX_TYPE_TENSOR:
      form.element = type.GetTensorTypeAndShapeInfo().GetElementType();
      return;
    case ONNX_TYPE_SEQUENCE:
      return read(type.GetSequenceTypeInfo().GetSequenceElementType(), form, false);
    case ONNX_TYPE_OPTIONAL:
      return read(type.GetOptionalTypeInfo().GetOptionalElementType(), form, false);
    case ONNX_TYPE_MAP:
      return read(type.GetMapTypeInfo().GetMapValueType(), form, false);
    default:
      return;
  }
}

Form form_of(const Ort::TypeInfo& type) {
  Form form;
  form.kind = type.GetONNXType();
  if (form.kind != ONNX_TYPE_TENSOR) read(type, form, true);
  return form;
}

onnx::ModelProto model_of_nothing(const Form& form) {
  onnx::ModelProto model;
  model.set_ir_version(8);
  model.add_opset_import()->set_version(13);
  auto* graph = model.mutable_graph();
  graph->set_name("nothing");
  auto* node = graph->add_node();
  node->set_op_type("SequenceEmpty");
  node->add_output("nothing");
  auto* type = node->add_attribute();
  type->set_name("dtype");
  type->set_type(onnx::AttributeProto::INT);
  type->set_i(static_cast<std::int64_t>(form.element));
  auto* output = graph->add_output();
  output->set_name("nothing");
  auto* element = output->mutable_type()->mutable_sequence_type()->mutable_elem_type();
  element->mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(form.element));
  return model;
}

}  // namespace

Forms input_forms(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  Forms forms;
  for (std::size_t i = 0; i < session.GetInputCount(); ++i)
    forms[session.GetInputNameAllocated(i, allocator).get()] = form_of(session.GetInputTypeInfo(i));
  return forms;
}

Forms output_forms(const Ort::Session& session) {
  Ort::AllocatorWithDefaultOptions allocator;
  Forms forms;
  for (std::size_t i = 0; i < session.GetOutputCount(); ++i)
    forms[session.GetOutputNameAllocated(i, allocator).get()] = form_of(session.GetOutputTypeInfo(i));
  return forms;
}

Result<Ort::Value> empty_sequence(const Form& form, const Ort::Env& env) {
  if (form.kind != ONNX_TYPE_SEQUENCE || form.inside != ONNX_TYPE_TENSOR)
    return fail(ErrorKind::unsupported, "an empty sequence of maps cannot be fed");
  const std::string bytes = model_of_nothing(form).SerializeAsString();
  Ort::SessionOptions options;
  options.SetIntraOpNumThreads(1);
  options.SetLogSeverityLevel(ORT_LOGGING_LEVEL_ERROR);
  Ort::Session session(env, bytes.data(), bytes.size(), options);
  const char* output = "nothing";
  auto values = session.Run(Ort::RunOptions{}, nullptr, nullptr, 0, &output, 1);
  return std::move(values.front());
}

}  // namespace culprit::ort
