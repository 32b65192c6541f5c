#include "twin/seeded_weights.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "base/random.h"
#include "base/text.h"
#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// The graphs in the order in which weights count them.
std::vector<onnx::GraphProto*> graphs_of(onnx::ModelProto& model) {
  std::vector<onnx::GraphProto*> graphs;
  // The walk is over `model`, which is ours to change; it hands out const because most of its callers only look.
  for_each_graph(model.graph(),
                 [&](const onnx::GraphProto& graph) { graphs.push_back(const_cast<onnx::GraphProto*>(&graph)); });
  return graphs;
}

double spread_around(Random& random, double middle, double spread, double smallest) {
  return std::max(middle + spread * random.rough_normal(), smallest);
}

double draw(const Weight& weight, double kernel_scale, Random& random) {
  switch (weight.role) {
    case Role::kernel:
      return kernel_scale * random.rough_normal();
    case Role::table:
      return random.rough_normal();
    case Role::scale:
      return spread_around(random, 1, 0.2, 0.25);
    case Role::variance:
      return 0.5 + random.uniform();
    case Role::slope:
      return 0.05 + 0.25 * random.uniform();
    case Role::mean:
      return 0.25 * random.rough_normal();
    case Role::shift:
      return 0.1 * random.rough_normal();
  }
  return 0;
}

/// Elements of float32 as they stand in a TensorProto, which keeps them little-endian as this machine does.
std::string seeded_floats(const Weight& weight, std::int64_t count, std::uint64_t seed) {
  Random random(seed, weight.name);
  const double kernel_scale = std::sqrt(2.0 / static_cast<double>(weight.fan_in));
  std::string bytes(static_cast<std::size_t>(count) * sizeof(float), '\0');
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(float)) {
    const auto value = static_cast<float>(draw(weight, kernel_scale, random));
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
  return bytes;
}

onnx::TensorProto float_tensor(const std::string& name, const Shape& shape, std::string&& bytes) {
  onnx::TensorProto tensor;
  tensor.set_name(name);
  tensor.set_data_type(onnx::TensorProto::FLOAT);
  for (const std::int64_t size : shape) tensor.add_dims(size);
  tensor.set_raw_data(std::move(bytes));
  return tensor;
}

void convert(onnx::TensorProto& tensor, DType to) {
  const auto read = from_proto(tensor);
  const auto rounded = read ? cast(*read, to) : Result<Tensor>();
  if (!read || !rounded) return;  // cannot be: numbers that were made here
  onnx::TensorProto converted = to_proto(*rounded, tensor.name());
  tensor.Swap(&converted);
}

onnx::TensorProto seeded_tensor(const Weight& weight, std::uint64_t seed) {
  const std::int64_t count = element_count(weight.shape).value_or(0);
  onnx::TensorProto tensor = float_tensor(weight.name, weight.shape, seeded_floats(weight, count, seed));
  if (weight.dtype != DType::f32) convert(tensor, weight.dtype);
  return tensor;
}

/// No size in a file is believed: a few bytes can ask for a ConstantOfShape of any size.
Result<void> must_fit(const WeightMap& map) {
  double bytes = 0;
  for (const Weight& weight : map.weights) {
    bytes +=
        static_cast<double>(element_count(weight.shape).value_or(0)) * static_cast<double>(bits_of(weight.dtype)) / 8;
  }
  if (bytes <= INT_MAX) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("its weights take {}, but a model file cannot be larger than 2 GiB",
                          bytes < 1e18 ? human_bytes(static_cast<std::uint64_t>(bytes)) : "more than an exabyte"),
              "a twin is made as one file; take a smaller model of the same kind");
}

std::set<std::string> used_in(const onnx::GraphProto& outermost) {
  std::set<std::string> used;
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) used.insert(node.input().begin(), node.input().end());
    for (const auto& output : graph.output()) used.insert(output.name());
  });
  return used;
}

template <class Items, class Gone>
void remove_if(Items& items, const Gone& gone) {
  int kept = 0;
  for (int i = 0; i < items.size(); ++i) {
    if (gone(items.Get(i))) continue;
    if (kept != i) items.SwapElements(kept, i);
    ++kept;
  }
  items.DeleteSubrange(kept, items.size() - kept);
}

/// Nodes whose only output became an initializer.
void remove_makers(onnx::GraphProto& graph, const std::set<std::string>& computed) {
  remove_if(*graph.mutable_node(), [&](const onnx::NodeProto& node) {
    return node.output_size() == 1 && (node.op_type() == "Constant" || node.op_type() == "ConstantOfShape") &&
           computed.contains(node.output(0));
  });
  remove_if(*graph.mutable_value_info(), [&](const auto& value) { return computed.contains(value.name()); });
}

/// Shapes that only the nodes took which are gone. They may be inputs as well, with a default.
void remove_orphans(onnx::GraphProto& graph, const std::set<std::string>& suspects) {
  const std::set<std::string> used = used_in(graph);
  const auto is_orphan = [&](const std::string& name) { return suspects.contains(name) && !used.contains(name); };
  std::set<std::string> removed;
  remove_if(*graph.mutable_initializer(), [&](const onnx::TensorProto& tensor) {
    if (is_orphan(tensor.name())) removed.insert(tensor.name());
    return is_orphan(tensor.name());
  });
  remove_if(*graph.mutable_input(), [&](const auto& input) { return removed.contains(input.name()); });
  remove_if(*graph.mutable_node(), [&](const onnx::NodeProto& node) {
    return node.op_type() == "Constant" && node.output_size() == 1 && is_orphan(node.output(0));
  });
}

std::set<std::string> shapes_taken(const onnx::GraphProto& graph, const std::set<std::string>& computed) {
  std::set<std::string> shapes;
  for (const auto& node : graph.node()) {
    const bool goes =
        node.op_type() == "ConstantOfShape" && node.output_size() == 1 && computed.contains(node.output(0));
    if (goes) shapes.insert(node.input().begin(), node.input().end());
  }
  return shapes;
}

}  // namespace

Result<void> seed_weights(onnx::ModelProto& model, const WeightMap& map, std::uint64_t seed) {
  if (auto fits = must_fit(map); !fits) return fits;
  const std::vector<onnx::GraphProto*> graphs = graphs_of(model);
  std::vector<std::map<std::string, const Weight*>> stored(graphs.size());
  std::vector<std::set<std::string>> computed(graphs.size());
  for (const Weight& weight : map.weights) {
    if (weight.is_computed) {
      computed[weight.graph].insert(weight.name);
    } else {
      stored[weight.graph][weight.name] = &weight;
    }
  }
  std::set<std::string> shapes;
  for (std::size_t i = 0; i < graphs.size(); ++i) {
    for (auto& tensor : *graphs[i]->mutable_initializer()) {
      if (const auto at = stored[i].find(tensor.name()); at != stored[i].end())
        tensor = seeded_tensor(*at->second, seed);
    }
    shapes.merge(shapes_taken(*graphs[i], computed[i]));
  }
  for (const Weight& weight : map.weights) {
    if (weight.is_computed) *graphs[weight.graph]->add_initializer() = seeded_tensor(weight, seed);
  }
  for (std::size_t i = 0; i < graphs.size(); ++i) remove_makers(*graphs[i], computed[i]);
  for (onnx::GraphProto* graph : graphs) remove_orphans(*graph, shapes);
  return {};
}

void scale_tensor(onnx::TensorProto& tensor, double factor) {
  const DType dtype = dtype_from_onnx(tensor.data_type()).value_or(DType::f32);
  if (dtype != DType::f32) convert(tensor, DType::f32);
  std::string& bytes = *tensor.mutable_raw_data();
  for (std::size_t i = 0; i + sizeof(float) <= bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    value = static_cast<float>(value * factor);
    std::memcpy(bytes.data() + i, &value, sizeof value);
  }
  if (dtype != DType::f32) convert(tensor, dtype);
}

}  // namespace culprit
