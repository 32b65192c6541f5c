#include <algorithm>
#include <array>
#include <set>

#include "model/graph_walk.h"
#include "reduce/deltas/delta_list.h"
#include "reduce/deltas/slices.h"
#include "reduce/open_sizes.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// A size to be changed: wherever it occurs, or along one axis of one input.
struct Change {
  std::int64_t from = 0, to = 0;
  std::string input = {};  ///< "": wherever it occurs
  std::size_t axis = 0;
  bool keeps_types = false;  ///< declared inner types and outputs change along, where they name the size
};

/// Attributes that hold sizes.
constexpr std::array<std::string_view, 9> that_hold_sizes = {
    "group", "kernel_shape", "split", "shape", "num_heads", "sizes", "output_shape", "hidden_size", "ends"};
constexpr std::int64_t longest_shape = 16;  // elements of an integer tensor that may be a shape

std::vector<std::int64_t> smaller(std::int64_t size) {
  std::set<std::int64_t> sizes{1, 2, (size + 1) / 2};
  sizes.erase(sizes.lower_bound(size), sizes.end());
  return {sizes.begin(), sizes.end()};
}

void add_changes(std::int64_t from, const std::string& input, std::size_t axis, std::vector<Change>& changes) {
  for (const std::int64_t to : smaller(from)) {
    if (input.empty()) changes.push_back({from, to, input, axis, true});
    changes.push_back({from, to, input, axis, false});
  }
}

/// Large sizes first: they are what makes a model large.
std::vector<Change> changes_of(const View& view) {
  std::set<std::int64_t, std::greater<>> sizes;
  std::vector<Change> changes;
  for_each_graph(view.model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) sizes.insert(tensor.dims().begin(), tensor.dims().end());
  });
  if (!view.samples.empty()) {
    for (const NamedTensor& input : view.samples.front()) {
      sizes.insert(input.value.shape().begin(), input.value.shape().end());
    }
  }
  for (const std::int64_t size : sizes) add_changes(size, "", 0, changes);
  if (view.samples.empty()) return changes;
  for (const NamedTensor& input : view.samples.front()) {
    for (std::size_t axis = 0; axis < input.value.shape().size(); ++axis) {
      add_changes(input.value.shape()[axis], input.name, axis, changes);
    }
  }
  return changes;
}

/// All axes of that size.
std::optional<Tensor> shrunk(Tensor tensor, const Change& change) {
  bool changed = false;
  for (std::size_t axis = 0; axis < tensor.shape().size(); ++axis) {
    if (tensor.shape()[axis] != change.from) continue;
    auto smaller_one = slices_of(tensor, axis, 0, change.to);
    if (!smaller_one) return std::nullopt;
    tensor = std::move(*smaller_one);
    changed = true;
  }
  return changed ? std::optional(std::move(tensor)) : std::nullopt;
}

/// The size as an element of a small list of integers: a shape that a node is told.
std::optional<Tensor> renumbered(const Tensor& tensor, const Change& change) {
  if (tensor.dtype() != DType::i64 || tensor.count() > longest_shape) return std::nullopt;
  const auto numbers = tensor.as<std::int64_t>();
  if (std::ranges::find(numbers, change.from) == numbers.end()) return std::nullopt;
  std::vector<std::int64_t> other(numbers.begin(), numbers.end());
  std::ranges::replace(other, change.from, change.to);
  return Tensor::of<std::int64_t>(tensor.shape(), other);
}

void shrink(onnx::TensorProto& stored, const Change& change) {
  const auto read = from_proto(stored);
  if (!read) return;
  Tensor tensor = *read;
  const auto other = renumbered(tensor, change);
  if (other) tensor = *other;
  const auto smaller_one = shrunk(tensor, change);
  if (smaller_one) tensor = *smaller_one;
  if (other || smaller_one) stored = to_proto(tensor, stored.name());
}

void change_dims(onnx::ValueInfoProto& info, const Change& change) {
  if (!info.type().has_tensor_type()) return;
  for (auto& dim : *info.mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim()) {
    if (dim.dim_value() == change.from) dim.set_dim_value(change.to);
  }
}

/// Stored tensors and what nodes are told, in bodies too.
void change_stored(onnx::GraphProto& graph, const Change& change) {
  for (auto& tensor : *graph.mutable_initializer()) shrink(tensor, change);
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) change_stored(*attribute.mutable_g(), change);
      if (attribute.has_t()) shrink(*attribute.mutable_t(), change);
      if (std::ranges::find(that_hold_sizes, attribute.name()) == that_hold_sizes.end()) continue;
      if (attribute.i() == change.from) attribute.set_i(change.to);
      std::ranges::replace(*attribute.mutable_ints(), change.from, change.to);
    }
  }
}

/// What bodies declare of their values changes along where it names the size.
void change_bodies(onnx::GraphProto& graph, const Change& change) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (!attribute.has_g()) continue;
      onnx::GraphProto& body = *attribute.mutable_g();
      for (auto* infos : {body.mutable_input(), body.mutable_output(), body.mutable_value_info()}) {
        for (auto& info : *infos) change_dims(info, change);
      }
      change_bodies(body, change);
    }
  }
}

void change_declared(onnx::GraphProto& graph, const Change& change) {
  if (change.keeps_types) {
    for (auto* infos : {graph.mutable_output(), graph.mutable_value_info()}) {
      for (auto& info : *infos) change_dims(info, change);
    }
    change_bodies(graph, change);
  } else {
    graph.clear_value_info();
    for (auto& output : *graph.mutable_output()) open_sizes(output);
    open_sizes_in_bodies(graph);
  }
}

/// Everywhere.
Case with_size(const View& view, const Change& change) {
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  auto& graph = *made->mutable_graph();
  change_stored(graph, change);
  for (auto& input : *graph.mutable_input()) change_dims(input, change);
  change_declared(graph, change);
  std::vector<Inputs> samples = view.samples;
  for (Inputs& sample : samples) {
    for (NamedTensor& input : sample) {
      if (auto other = renumbered(input.value, change)) input.value = std::move(*other);
      if (auto smaller_one = shrunk(input.value, change)) input.value = std::move(*smaller_one);
    }
  }
  return Case{std::move(made), std::move(samples)};
}

std::optional<Case> with_axis(const View& view, const Change& change) {
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  auto& graph = *made->mutable_graph();
  const auto declared = std::ranges::find(*graph.mutable_input(), change.input, &onnx::ValueInfoProto::name);
  if (declared == graph.mutable_input()->end()) return std::nullopt;
  auto& dims = *declared->mutable_type()->mutable_tensor_type()->mutable_shape()->mutable_dim();
  const auto axis = static_cast<int>(change.axis);
  if (axis < dims.size() && dims[axis].has_dim_value()) dims[axis].set_dim_value(change.to);
  change_declared(graph, change);
  std::vector<Inputs> samples = view.samples;
  for (Inputs& sample : samples) {
    for (NamedTensor& input : sample) {
      if (input.name != change.input || change.axis >= input.value.shape().size()) continue;
      if (input.value.shape()[change.axis] <= change.to) continue;
      auto smaller_one = slices_of(input.value, change.axis, 0, change.to);
      if (!smaller_one) return std::nullopt;
      input.value = std::move(*smaller_one);
    }
  }
  return Case{std::move(made), std::move(samples)};
}

std::optional<Case> changed(const View& view, std::size_t number, std::size_t /*last*/) {
  const Change change = changes_of(view).at(number);
  return change.input.empty() ? with_size(view, change) : with_axis(view, change);
}

}  // namespace

Delta shrink_sizes() {
  return {Delta::Way::listed, false, [](const View& view) { return changes_of(view).size(); }, changed, {}};
}

}  // namespace culprit
