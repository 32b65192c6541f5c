#include "model/tree_thresholds.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <unordered_map>

#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr int most_steps_back = 1000;          // backwards; a graph may be hostile and go in circles
constexpr std::size_t most_thresholds = 4096;  // of a column

/// A column of a value, and what its trees compare it with.
struct Column {
  std::string value;
  std::int64_t place = 0;
  std::vector<double> thresholds = {};
};

std::vector<double> numbers_in(const onnx::TensorProto& stored) {
  std::vector<double> numbers;
  const auto tensor = from_proto(stored);
  if (!tensor || tensor->dtype() == DType::string) return numbers;
  for (std::int64_t i = 0; i < tensor->count(); ++i) numbers.push_back(tensor->number(i));
  return numbers;
}

/// The numbers of an attribute of floats or integers, or of the tensor that a later version of the operator has in its
/// place.
std::vector<double> numbers_of(const onnx::NodeProto& node, std::string_view name, std::string_view tensor = "") {
  if (const auto* found = attribute_of(node, name); found != nullptr) {
    if (found->has_t()) return numbers_in(found->t());
    if (found->floats_size() > 0) return {found->floats().begin(), found->floats().end()};
    return {found->ints().begin(), found->ints().end()};
  }
  return tensor.empty() ? std::vector<double>() : numbers_of(node, tensor);
}

constexpr int plain_modes = 6;  // LEQ, LT, GTE, GT, EQ, NEQ; then MEMBER

/// Does node `i` of the trees compare with one number?
bool compares(const onnx::NodeProto& node, std::size_t i, const std::vector<double>& numbered_modes) {
  const auto* modes = attribute_of(node, "nodes_modes");
  if (modes == nullptr) return false;
  if (modes->has_t()) return i < numbered_modes.size() && numbered_modes[i] < plain_modes;
  if (i >= static_cast<std::size_t>(modes->strings_size())) return false;
  const std::string& mode = modes->strings(static_cast<int>(i));
  return mode.starts_with("BRANCH_") && mode != "BRANCH_MEMBER";
}

Thresholds thresholds_of(const onnx::NodeProto& node) {
  const bool is_new = node.op_type() == "TreeEnsemble";
  const auto features = numbers_of(node, "nodes_featureids");
  const auto splits =
      is_new ? numbers_of(node, "nodes_splits") : numbers_of(node, "nodes_values", "nodes_values_as_tensor");
  const auto modes = is_new ? numbers_of(node, "nodes_modes") : std::vector<double>();
  Thresholds found;
  for (std::size_t i = 0; i < std::min(features.size(), splits.size()); ++i) {
    if (!compares(node, i, modes) || !std::isfinite(splits[i]) || features[i] < 0) continue;
    std::vector<double>& its = found[static_cast<std::int64_t>(features[i])];
    if (its.size() < most_thresholds) its.push_back(splits[i]);
  }
  return found;
}

class Finder {
 public:
  explicit Finder(const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
      for (const std::string& output : node.output()) makers_.emplace(output, &node);
    }
    for (const auto& stored : graph.initializer()) stored_.emplace(stored.name(), &stored);
    for (const auto& input : graph.input()) {
      if (stored_.contains(input.name())) continue;
      const auto shape = declared_shape(input, true);
      inputs_.emplace(input.name(), shape && !shape->empty() ? shape->back().value : std::nullopt);
    }
    for (const auto& known : graph.value_info()) {
      const auto shape = declared_shape(known, false);
      if (shape && !shape->empty()) widths_.emplace(known.name(), shape->back().value);
    }
  }

  void add(Column column) {
    for (int step = 0; step < most_steps_back; ++step) {
      if (inputs_.contains(column.value)) return keep(column);
      const auto maker = makers_.find(column.value);
      if (maker == makers_.end() || !step_back(*maker->second, column)) return;
    }
  }

  std::map<std::string, Thresholds> found;

 private:
  void keep(const Column& column) {
    std::vector<double>& all = found[column.value][column.place];
    std::ranges::copy_if(column.thresholds, std::back_inserter(all), [](double t) { return std::isfinite(t); });
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    if (all.size() > most_thresholds) all.resize(most_thresholds);
    if (!all.empty()) return;
    found[column.value].erase(column.place);
    if (found[column.value].empty()) found.erase(column.value);
  }

  /// False: what comes before is not known.
  bool step_back(const onnx::NodeProto& node, Column& column) const {
    static constexpr std::array<std::string_view, 3> as_it_is = {"Cast", "Identity", "Imputer"};
    const std::string& op = node.op_type();
    if (node.input_size() == 0) return false;
    if (op == "Concat" || op == "FeatureVectorizer") return into_part(node, column);
    if (op == "Scaler") return through_scaler(node, column);
    if (op == "Add" || op == "Sub" || op == "Mul" || op == "Div") return through_constant(node, column);
    column.value = node.input(0);
    return std::ranges::find(as_it_is, op) != as_it_is.end();
  }

  [[nodiscard]] std::optional<std::int64_t> width_of(const std::string& value) const {
    for (const auto* known : {&inputs_, &widths_}) {
      if (const auto at = known->find(value); at != known->end()) return at->second;
    }
    const auto maker = makers_.find(value);
    const bool keeps_width = maker != makers_.end() && maker->second->op_type() == "Cast";
    if (!keeps_width || maker->second->input_size() == 0) return std::nullopt;
    const auto before = inputs_.find(maker->second->input(0));
    return before == inputs_.end() ? std::nullopt : before->second;
  }

  /// Along the last axis of rows of features.
  bool into_part(const onnx::NodeProto& node, Column& column) const {
    const std::int64_t axis = integer_of(node, "axis", 1);
    if (axis != 1 && axis != -1) return false;
    for (const std::string& part : node.input()) {
      const auto width = width_of(part);
      if (!width || *width < 0) return false;
      if (column.place < *width) {
        column.value = part;
        return true;
      }
      column.place -= *width;
    }
    return false;
  }

  /// (x - offset) * scale, with one number for all columns or one for each.
  static bool through_scaler(const onnx::NodeProto& node, Column& column) {
    const auto scale = at(numbers_of(node, "scale"), column.place),
               offset = at(numbers_of(node, "offset"), column.place);
    if (!scale || !offset || *scale == 0) return false;
    for (double& threshold : column.thresholds) threshold = threshold / *scale + *offset;
    column.value = node.input(0);
    return true;
  }

  bool through_constant(const onnx::NodeProto& node, Column& column) const {
    if (node.input_size() != 2) return false;
    const int constant = is_constant(node.input(1)) ? 1 : 0;
    const auto number = at(constant_numbers(node.input(constant)), column.place);
    const std::string& op = node.op_type();
    const bool is_turned = constant == 0 && (op == "Sub" || op == "Div");
    if (!number || is_turned || (*number == 0 && (op == "Mul" || op == "Div"))) return false;
    for (double& threshold : column.thresholds) {
      if (op == "Add") threshold -= *number;
      if (op == "Sub") threshold += *number;
      if (op == "Mul") threshold /= *number;
      if (op == "Div") threshold *= *number;
    }
    column.value = node.input(1 - constant);
    return true;
  }

  static std::optional<double> at(const std::vector<double>& numbers, std::int64_t place) {
    const std::size_t index = numbers.size() == 1 ? 0 : static_cast<std::size_t>(place);
    return index < numbers.size() ? std::optional(numbers[index]) : std::nullopt;
  }

  [[nodiscard]] bool is_constant(const std::string& value) const {
    const auto maker = makers_.find(value);
    return stored_.contains(value) || (maker != makers_.end() && maker->second->op_type() == "Constant");
  }

  [[nodiscard]] std::vector<double> constant_numbers(const std::string& value) const {
    if (const auto stored = stored_.find(value); stored != stored_.end()) return numbers_in(*stored->second);
    if (!is_constant(value)) return {};
    const auto constant = constant_of(*makers_.at(value));
    if (constant && constant->number) return {*constant->number};
    return constant && constant->tensor != nullptr ? numbers_in(*constant->tensor) : std::vector<double>();
  }

  std::unordered_map<std::string, const onnx::NodeProto*> makers_;
  std::unordered_map<std::string, const onnx::TensorProto*> stored_;
  std::unordered_map<std::string, std::optional<std::int64_t>> inputs_;  // the width of each
  std::unordered_map<std::string, std::optional<std::int64_t>> widths_;
};

bool is_tree(const onnx::NodeProto& node) {
  static constexpr std::array<std::string_view, 3> ops = {"TreeEnsemble", "TreeEnsembleClassifier",
                                                          "TreeEnsembleRegressor"};
  return node.input_size() > 0 && std::ranges::find(ops, node.op_type()) != ops.end();
}

}  // namespace

std::map<std::string, Thresholds> thresholds_of_inputs(const onnx::ModelProto& model) {
  Finder finder(model.graph());
  for (const auto& node : model.graph().node()) {
    if (!is_tree(node)) continue;
    for (auto& [place, thresholds] : thresholds_of(node)) finder.add({node.input(0), place, std::move(thresholds)});
  }
  return std::move(finder.found);
}

}  // namespace culprit
