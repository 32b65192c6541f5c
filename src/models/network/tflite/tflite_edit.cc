#include "network/tflite/tflite_edit.h"

#include <algorithm>

#include "network/tflite/edit_work.h"
#include "network/tflite/file_tail.h"

namespace culprit {
namespace {

using Done = Result<void>;

Done first_error(std::initializer_list<Done> all) {
  for (const auto& one : all) {
    if (!one) return one;
  }
  return {};
}

}  // namespace

TfliteEdit::TfliteEdit(std::unique_ptr<Work> work) : work_(std::move(work)) {}
TfliteEdit::~TfliteEdit() = default;
TfliteEdit::TfliteEdit(TfliteEdit&&) noexcept = default;
TfliteEdit& TfliteEdit::operator=(TfliteEdit&&) noexcept = default;

Result<TfliteEdit> TfliteEdit::start(const TfliteFile& file) {
  const auto end = end_of_flatbuffer(file.bytes());
  auto flat = FlatEdit::start(std::string(file.bytes()), file.bytes().size() - end, file.where());
  if (!flat) return tl::unexpected(flat.error());
  return TfliteEdit(std::make_unique<Work>(std::move(*flat), file.where()));
}

Result<TfliteFile> TfliteEdit::finish() const {
  std::size_t moved = 0;
  auto bytes = work_->flat.whole(moved);
  if (moved != 0) {
    const auto places = places_of_far_offsets({std::as_bytes(std::span(bytes))});
    for (const auto place : places) {
      const FlatBytes file{std::as_bytes(std::span(bytes))};
      flat_put(std::as_writable_bytes(std::span(bytes)), place, file.get<std::uint64_t>(place) + moved);
    }
  }
  return TfliteFile::parse(std::move(bytes), work_->where);
}

Result<void> TfliteEdit::set_data(TflitePlace at, std::string_view elements) {
  auto tensor = work_->tensor(at);
  if (!tensor) return tl::unexpected(tensor.error());
  auto number = work_->number<std::uint32_t>(*tensor, "buffer");
  if (number == 0 || work_->users(number) > 1) {
    number = static_cast<std::uint32_t>(work_->count(work_->model(), "buffers"));
    auto made = work_->insert(work_->model(), "buffers", number, {"data"});
    if (!made) return tl::unexpected(made.error());
    if (auto done = work_->set_list<char>(*made, "data", elements, 16); !done) return done;
    tensor = work_->tensor(at);  // all has moved
    return tensor ? work_->set_number(*tensor, "buffer", number) : Done(tl::unexpected(tensor.error()));
  }
  auto buffer = work_->element(work_->model(), "buffers", number);
  if (!buffer) return tl::unexpected(buffer.error());
  if (work_->number<std::uint64_t>(*buffer, "offset") > 1) {
    if (work_->write_behind(*buffer, elements)) return {};
    auto done = first_error(
        {work_->set_number<std::uint64_t>(*buffer, "offset", 0), work_->set_number<std::uint64_t>(*buffer, "size", 0)});
    if (!done) return done;
  }
  return work_->set_list<char>(*buffer, "data", elements, 16);
}

Result<void> TfliteEdit::set_shape(TflitePlace at, std::span<const std::int32_t> shape) {
  auto tensor = work_->tensor(at);
  return tensor ? work_->set_list(*tensor, "shape", shape) : Done(tl::unexpected(tensor.error()));
}

Result<void> TfliteEdit::set_quantization(TflitePlace at, const TfliteQuantization& wanted) {
  auto tensor = work_->tensor(at);
  if (!tensor) return tl::unexpected(tensor.error());
  auto inside = work_->child(*tensor, "quantization", tflite_schema().table("QuantizationParameters"),
                             {"scale", "zero_point", "quantized_dimension"});
  if (!inside) return tl::unexpected(inside.error());
  const auto list = [&](std::string_view name, const auto& values) -> Done {
    using T = typename std::decay_t<decltype(values)>::value_type;
    const bool is_needed =
        !values.empty() || work_->count(*inside, name) != 0 || name == "scale" || name == "zero_point";
    return is_needed ? work_->set_list<T>(*inside, name, values) : Done();
  };
  return first_error({list("scale", wanted.scale), list("zero_point", wanted.zero_point), list("min", wanted.min),
                      list("max", wanted.max), work_->set_number(*inside, "quantized_dimension", wanted.dimension)});
}

Result<std::size_t> TfliteEdit::append_tensor(std::size_t subgraph, const TfliteNewTensor& wanted) {
  auto graph = work_->subgraph(subgraph);
  if (!graph) return tl::unexpected(graph.error());
  const auto number = work_->count(*graph, "tensors");
  auto tensor = work_->insert(*graph, "tensors", number, {"shape", "type", "buffer", "name"});
  if (!tensor) return tl::unexpected(tensor.error());
  auto done =
      first_error({work_->set_list<std::int32_t>(*tensor, "shape", wanted.shape),
                   work_->set_number(*tensor, "type", wanted.type), work_->set_text(*tensor, "name", wanted.name)});
  if (done && !wanted.data.empty()) done = set_data({subgraph, number}, wanted.data);
  if (!done) return tl::unexpected(done.error());
  return number;
}

Result<void> TfliteEdit::set_option(TflitePlace at, std::string_view option, const TfliteValue& value) {
  auto node = work_->node(at);
  return node ? work_->set_option(*node, option, value) : Done(tl::unexpected(node.error()));
}

Result<void> TfliteEdit::set_inputs(TflitePlace at, std::span<const std::int32_t> tensors) {
  auto node = work_->node(at);
  return node ? work_->set_list(*node, "inputs", tensors) : Done(tl::unexpected(node.error()));
}

Result<void> TfliteEdit::set_outputs(TflitePlace at, std::span<const std::int32_t> tensors) {
  auto node = work_->node(at);
  return node ? work_->set_list(*node, "outputs", tensors) : Done(tl::unexpected(node.error()));
}

Result<void> TfliteEdit::set_code(TflitePlace at, std::int32_t code, std::int32_t version, const std::string& custom) {
  if (auto there = work_->node(at); !there) return tl::unexpected(there.error());
  const auto index = work_->code_index(code, version, custom);
  if (!index) return tl::unexpected(index.error());
  auto node = work_->node(at);
  return node ? work_->set_number(*node, "opcode_index", *index) : Done(tl::unexpected(node.error()));
}

Result<void> TfliteEdit::insert_operator(TflitePlace at, const TfliteNewOperator& wanted) {
  const auto index = work_->code_index(wanted.code, wanted.version, wanted.custom_name);
  if (!index) return tl::unexpected(index.error());
  auto graph = work_->subgraph(at.subgraph);
  if (!graph) return tl::unexpected(graph.error());
  const auto count = work_->count(*graph, "operators");
  if (at.number > count) return tl::unexpected(work_->no_such("operator", at.number, count));
  auto node = work_->insert(*graph, "operators", at.number, {"opcode_index", "inputs", "outputs"});
  if (!node) return tl::unexpected(node.error());
  auto done = first_error({work_->set_number(*node, "opcode_index", *index),
                           work_->set_list<std::int32_t>(*node, "inputs", wanted.inputs),
                           work_->set_list<std::int32_t>(*node, "outputs", wanted.outputs)});
  for (const auto& [name, value] : wanted.options) {
    if (done) done = set_option(at, name, value);
  }
  return done;
}

Result<void> TfliteEdit::remove_operator(TflitePlace at) {
  auto graph = work_->subgraph(at.subgraph);
  return graph ? work_->erase(*graph, "operators", at.number) : Done(tl::unexpected(graph.error()));
}

Result<void> TfliteEdit::set_graph_outputs(std::size_t subgraph, std::span<const std::int32_t> tensors) {
  auto graph = work_->subgraph(subgraph);
  return graph ? work_->set_list(*graph, "outputs", tensors) : Done(tl::unexpected(graph.error()));
}

Result<void> TfliteEdit::set_graph_inputs(std::size_t subgraph, std::span<const std::int32_t> tensors) {
  auto graph = work_->subgraph(subgraph);
  return graph ? work_->set_list(*graph, "inputs", tensors) : Done(tl::unexpected(graph.error()));
}

Result<void> TfliteEdit::set_signature_list(std::size_t number, std::string_view list, NamedTensors tensors) {
  auto signature = work_->element(work_->model(), "signature_defs", number);
  if (!signature) return tl::unexpected(signature.error());
  while (work_->count(*signature, list) > tensors.size()) {
    if (auto done = work_->erase(*signature, list, tensors.size()); !done) return done;
  }
  for (std::size_t at = 0; at < tensors.size(); ++at) {
    const bool is_new = at >= work_->count(*signature, list);
    auto map =
        is_new ? work_->insert(*signature, list, at, {"name", "tensor_index"}) : work_->element(*signature, list, at);
    if (!map) return tl::unexpected(map.error());
    auto done = first_error({work_->set_text(*map, "name", tensors[at].first),
                             work_->set_number(*map, "tensor_index", tensors[at].second)});
    if (!done) return done;
    signature = work_->element(work_->model(), "signature_defs", number);  // all may have moved
    if (!signature) return tl::unexpected(signature.error());
  }
  return {};
}

Result<void> TfliteEdit::set_signature_outputs(std::size_t number, NamedTensors outputs) {
  return set_signature_list(number, "outputs", outputs);
}

Result<void> TfliteEdit::set_signature_inputs(std::size_t number, NamedTensors inputs) {
  return set_signature_list(number, "inputs", inputs);
}

}  // namespace culprit
