#include "runtime/onnxruntime/form.h"

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
  model.add_opset_import()->set_version(15);
  auto* graph = model.mutable_graph();
  graph->set_name("nothing");
  auto* node = graph->add_node();
  node->add_output("nothing");
  auto* output = graph->add_output();
  output->set_name("nothing");
  onnx::TypeProto tensor, sequence;
  tensor.mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(form.element));
  *sequence.mutable_sequence_type()->mutable_elem_type() = tensor;
  auto* attribute = node->add_attribute();
  if (form.kind == ONNX_TYPE_SEQUENCE) {
    node->set_op_type("SequenceEmpty");
    attribute->set_name("dtype");
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(static_cast<std::int64_t>(form.element));
    *output->mutable_type() = sequence;
    return model;
  }
  node->set_op_type("Optional");
  attribute->set_name("type");
  attribute->set_type(onnx::AttributeProto::TYPE_PROTO);
  *attribute->mutable_tp() = form.inside == ONNX_TYPE_SEQUENCE ? sequence : tensor;
  *output->mutable_type()->mutable_optional_type()->mutable_elem_type() = attribute->tp();
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

Result<Ort::Value> nothing_of(const Form& form, const Ort::Env& env) {
  const bool is_sequence = form.kind == ONNX_TYPE_SEQUENCE && form.inside == ONNX_TYPE_TENSOR;
  if (!is_sequence && form.kind != ONNX_TYPE_OPTIONAL)
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
