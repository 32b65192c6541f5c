#include "network/model_of_file.h"

#include <algorithm>
#include <span>
#include <vector>

#include "base/as_index.h"
#include "base/file.h"
#include "base/files_below.h"
#include "base/hash.h"
#include "base/parent_folder.h"
#include "base/text.h"
#include "keras/keras_model.h"
#include "network/keras/read_keras_network.h"
#include "network/tensorflow/tensorflow_model.h"
#include "network/tensorflow/tensorflow_types.h"
#include "network/tflite/tflite_file.h"
#include "network/tflite/tflite_types.h"

namespace culprit {
namespace {

template <class Dims>
ValueInfo declared_value(const std::string& name, const std::string& tensor, DType type, bool has_shape,
                         const Dims& dims) {
  ValueInfo value;
  value.name = name;
  if (tensor != name) value.tensor = tensor;
  value.dtype = type;
  value.has_shape = has_shape;
  for (const std::int64_t dim : dims) value.dims.push_back(dim < 0 ? Dim{} : Dim{dim, ""});
  return value;
}

Model without_proto(const fs::path& path, Interface interface) {
  Model model;
  model.path = path;
  model.facts.path = path.string();
  for (const ValueInfo& input : interface.inputs) model.facts.inputs.push_back(input.text());
  for (const ValueInfo& output : interface.outputs) model.facts.outputs.push_back(output.text());
  model.interface = std::move(interface);
  return model;
}

ValueInfo value_of(const TfliteTensor& tensor, const std::string& name) {
  const auto& dims = tensor.shape_signature.empty() ? tensor.shape : tensor.shape_signature;
  return declared_value(name, tensor.name, dtype_of_tflite(tensor.type), tensor.has_rank || !dims.empty(), dims);
}

/// The values stand in the subgraph's order, as LiteRT gives them, and not in the signature's.
std::vector<ValueInfo> values_of_signature(const TfliteSubgraph& graph, const std::vector<std::int32_t>& tensors,
                                           std::span<const std::pair<std::string, std::uint32_t>> names) {
  std::vector<ValueInfo> values;
  for (const std::int32_t tensor : tensors) {
    for (const auto& [name, of] : names) {
      if (static_cast<std::int32_t>(of) == tensor)
        values.push_back(value_of(graph.tensors.at(static_cast<std::size_t>(tensor)), name));
    }
  }
  return values;
}

Interface interface_of_tflite(const TfliteGraph& graph) {
  Interface interface;
  if (!graph.signatures.empty()) {
    const TfliteSignature& signature = graph.signatures.front();
    const TfliteSubgraph& of = graph.subgraphs.at(signature.subgraph);
    interface.inputs = values_of_signature(of, of.inputs, signature.inputs);
    interface.outputs = values_of_signature(of, of.outputs, signature.outputs);
    return interface;
  }
  const TfliteSubgraph& main = graph.subgraphs.at(0);
  const auto named = [&](std::int32_t number) {
    const TfliteTensor& tensor = main.tensors.at(static_cast<std::size_t>(number));
    return value_of(tensor, tensor.name);
  };
  std::ranges::transform(main.inputs, std::back_inserter(interface.inputs), named);
  std::ranges::transform(main.outputs, std::back_inserter(interface.outputs), named);
  return interface;
}

Result<Model> tflite_model(const fs::path& path) {
  const auto file = TfliteFile::open(path);
  if (!file) return tl::unexpected(file.error());
  const TfliteGraph& graph = file->graph();
  if (graph.subgraphs.empty()) return fail(ErrorKind::bad_input, file->where() + ": the model has no graph");
  Model model = without_proto(path, interface_of_tflite(graph));
  model.facts.bytes = file->bytes().size();
  model.facts.sha256 = sha256_of(file->bytes());
  for (const TfliteSubgraph& subgraph : graph.subgraphs) {
    model.facts.nodes += static_cast<std::int64_t>(subgraph.operators.size());
    model.facts.initializers += std::ranges::count_if(
        subgraph.tensors, [&](const TfliteTensor& tensor) { return !file->buffer(tensor.buffer).empty(); });
  }
  return model;
}

std::vector<ValueInfo> values_of_tensorflow(const std::vector<TensorflowValue>& values) {
  std::vector<ValueInfo> declared;
  declared.reserve(values.size());
  for (const TensorflowValue& value : values)
    declared.push_back(declared_value(value.name, value.tensor,
                                      dtype_of_tensorflow(value.type).value_or(DType::undefined),
                                      value.shape.has_value(), value.shape.value_or(std::vector<std::int64_t>())));
  return declared;
}

Result<Model> tensorflow_model(const fs::path& path, const Result<TensorflowModel>& read) {
  auto interface = read ? read->interface() : Result<TensorflowInterface>(tl::unexpected(read.error()));
  if (!interface) {
    interface.error().message = printable(path.string()) + ": " + interface.error().message;
    return tl::unexpected(std::move(interface.error()));
  }
  Model model =
      without_proto(path, {values_of_tensorflow(interface->inputs), {}, values_of_tensorflow(interface->outputs)});
  model.facts.nodes = read->node_count();
  return model;
}

Result<Model> frozen_graph(const fs::path& path) {
  const auto bytes = read_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  auto model = tensorflow_model(path, TensorflowModel::of_graph(*bytes));
  if (!model) return model;
  model->facts.bytes = bytes->size();
  model->facts.sha256 = sha256_of(*bytes);
  return model;
}

/// The identity of a folder comes of all files below it: their names, sizes and hashes, in the order of the names.
Result<void> add_identity(const fs::path& folder, ModelFacts& facts) {
  const auto files = files_below(folder);
  if (!files) return tl::unexpected(files.error());
  std::error_code error;
  std::string listed;
  for (const fs::path& file : *files) {
    const auto hash = sha256_of_file(file);
    if (!hash) return tl::unexpected(hash.error());
    const std::uint64_t size = fs::file_size(file, error);
    if (error) return fail(ErrorKind::io, "cannot read " + printable(file.string()) + ": " + error.message());
    listed += *hash + " " + std::to_string(size) + " " + file.lexically_relative(folder).string() + "\n";
    facts.bytes += size;
  }
  facts.sha256 = sha256_of(listed);
  return {};
}

/// The folder of a SavedModel, without a slash at its end, whether the folder was named or the file in it.
fs::path folder_of_saved(const fs::path& named) {
  std::error_code ignored;
  if (!fs::is_directory(named, ignored)) return parent_folder(named);
  return named.has_filename() ? named : named.parent_path();
}

Result<Model> saved_model(const fs::path& named) {
  const fs::path folder = folder_of_saved(named);
  const auto bytes = read_file(folder / "saved_model.pb");
  if (!bytes) return tl::unexpected(bytes.error());
  auto model = tensorflow_model(folder, TensorflowModel::of_saved_model(*bytes));
  if (!model) return model;
  if (auto ok = add_identity(folder, model->facts); !ok) return tl::unexpected(ok.error());
  return model;
}

/// Its code, if it brings any, is refused by whoever runs it.
Result<Model> keras_model(const fs::path& path) {
  const auto file = read_keras_file(path, {.trust = true});
  if (!file) return tl::unexpected(file.error());
  const auto network = read_keras_network(*file);
  if (!network) return tl::unexpected(network.error());
  const auto declared = [&](const std::vector<int>& numbers) {
    std::vector<ValueInfo> values;
    for (const int number : numbers) {
      const NetworkValue& value = network->values[as_index(number)];
      values.push_back(declared_value(value.name, value.name, value.dtype, value.has_rank, value.dims));
    }
    return values;
  };
  Model model = without_proto(path, {declared(network->inputs), {}, declared(network->outputs)});
  model.facts.nodes = std::ssize(network->layers);
  model.facts.initializers =
      std::ranges::count_if(network->values, [](const NetworkValue& value) { return value.constant.has_value(); });
  std::error_code error;
  model.facts.bytes = fs::file_size(path, error);
  if (error) return fail(ErrorKind::io, "cannot read " + printable(path.string()) + ": " + error.message());
  auto hash = sha256_of_file(path);
  if (!hash) return tl::unexpected(hash.error());
  model.facts.sha256 = std::move(*hash);
  return model;
}

}  // namespace

Result<Model> load_any_model(const fs::path& path) {
  switch (format_of(path)) {
    case ModelFormat::onnx:
      return load_model(path);
    case ModelFormat::tflite:
      return tflite_model(path);
    case ModelFormat::saved_model:
      return saved_model(path);
    case ModelFormat::frozen_graph:
      return frozen_graph(path);
    case ModelFormat::keras:
      return keras_model(path);
  }
  return load_model(path);
}

}  // namespace culprit
