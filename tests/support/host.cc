#include "support/host.h"

#include <algorithm>
#include <array>

#include "base/random.h"
#include "model/model.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

constexpr std::int64_t rows = 4, columns = 6;  // of the host's own values
constexpr const char* own_input = "host_z";
const std::string prefix = "host_of_";  // names of inputs that are made by nodes

using onnx::TensorProto;

/// Builds the host around a copy of the case.
class Host {
 public:
  Host(const onnx::ModelProto& inner, const Hosting& hosting, std::uint64_t seed)
      : model_(inner), hosting_(hosting), random_(seed, "host") {}

  onnx::ModelProto build() {
    onnx::GraphProto inner;
    inner.Swap(model_.mutable_graph());
    graph().set_name(inner.name());
    for (auto* list : {inner.mutable_initializer()}) graph().mutable_initializer()->Swap(list);
    graph().mutable_sparse_initializer()->Swap(inner.mutable_sparse_initializer());
    graph().mutable_value_info()->Swap(inner.mutable_value_info());
    for (const auto& input : inner.input()) add_input(input);
    grow(between(8, 18));
    for (auto& node : *inner.mutable_node()) *graph().add_node() = node;
    grow(between(6, 16));
    for (const auto& output : inner.output()) add_output(output);
    finish();
    return model_;
  }

 private:
  onnx::GraphProto& graph() { return *model_.mutable_graph(); }
  int between(int low, int high) { return static_cast<int>(random_.between(low, high)); }
  std::string fresh() { return "host_" + std::to_string(names_++); }

  std::string node(const char* op, const std::vector<std::string>& inputs) {
    auto* made = graph().add_node();
    made->set_op_type(op);
    for (const auto& input : inputs) made->add_input(input);
    made->add_output(fresh());
    return made->output(0);
  }

  /// Below IR 4 initializers are inputs as well, so there it is a node.
  std::string constant(const Tensor& value) {
    const std::string name = fresh();
    if (model_.ir_version() >= 4) {
      *graph().add_initializer() = to_proto(value, name);
      return name;
    }
    auto* made = graph().add_node();
    made->set_op_type("Constant");
    made->add_output(name);
    auto* attribute = made->add_attribute();
    attribute->set_name("value");
    attribute->set_type(onnx::AttributeProto::TENSOR);
    *attribute->mutable_t() = to_proto(value, "");
    return name;
  }

  Tensor numbers(const Shape& shape) {
    std::vector<float> values(static_cast<std::size_t>(element_count(shape).value()));
    for (float& value : values) value = static_cast<float>(random_.normal() / 2);
    return Tensor::of<float>(shape, values);
  }

  // --- into the case ------------------------------------------------------------------------------------------------

  /// The operator that undoes itself bit for bit; nullptr where there is none for the type.
  static const char* own_inverse(const onnx::ValueInfoProto& info) {
    if (!info.type().has_tensor_type()) return nullptr;
    switch (info.type().tensor_type().elem_type()) {
      case TensorProto::FLOAT:
      case TensorProto::DOUBLE:
      case TensorProto::INT32:
      case TensorProto::INT64:
        return "Neg";
      case TensorProto::BOOL:
        return "Not";
      default:
        return nullptr;
    }
  }

  [[nodiscard]] bool has_default(const std::string& name) {
    return std::ranges::find(graph().initializer(), name, &TensorProto::name) != graph().initializer().end();
  }

  void add_input(const onnx::ValueInfoProto& input) {
    const char* op = own_inverse(input);
    *graph().add_input() = input;
    if (!hosting_.feeds || op == nullptr || has_default(input.name())) return;
    const std::string name = prefix + input.name();
    graph().mutable_input(graph().input_size() - 1)->set_name(name);
    node(op, {node(op, {name})});
    graph().mutable_node(graph().node_size() - 1)->set_output(0, input.name());
    *graph().add_value_info() = input;
  }

  // --- beside it ----------------------------------------------------------------------------------------------------

  void grow(int nodes) {
    static constexpr std::array unary = {"Relu", "Tanh", "Sigmoid", "Abs", "Softplus", "Neg"};
    static constexpr std::array binary = {"Add", "Sub", "Mul", "Max"};
    if (values_.empty()) values_.emplace_back(own_input);
    for (int i = 0; i < nodes; ++i) {
      const std::string one = any_value(), other = any_value();
      const int kind = between(0, 9);
      if (kind < 5) {
        values_.push_back(node(unary.at(static_cast<std::size_t>(between(0, 5))), {one}));
      } else if (kind < 8) {
        const std::string sum = node(binary.at(static_cast<std::size_t>(between(0, 3))), {one, other});
        values_.push_back(node("Tanh", {sum}));  // so that nothing grows
      } else {
        values_.push_back(node("MatMul", {one, constant(numbers({columns, columns}))}));
      }
    }
  }

  /// One of the last few, so that the host becomes deep.
  std::string any_value() {
    const auto last = static_cast<int>(values_.size()) - 1;
    return values_[static_cast<std::size_t>(between(std::max(0, last - 4), last))];
  }

  // --- out of it ----------------------------------------------------------------------------------------------------

  void add_output(const onnx::ValueInfoProto& output) {
    const bool is_number = output.type().has_tensor_type() &&
                           output.type().tensor_type().elem_type() != TensorProto::STRING &&
                           output.type().tensor_type().elem_type() != 0;
    if (!hosting_.consumes || !is_number) {
      *graph().add_output() = output;
      return;
    }
    *graph().add_value_info() = output;
    std::string value = output.name();
    if (output.type().tensor_type().elem_type() != TensorProto::FLOAT) {
      value = node("Cast", {value});
      auto* to = graph().mutable_node(graph().node_size() - 1)->add_attribute();
      to->set_name("to");
      to->set_type(onnx::AttributeProto::INT);
      to->set_i(TensorProto::FLOAT);
    }
    joined_.push_back(node("Reshape", {node("Neg", {value}), flat()}));
  }

  std::string flat() {
    if (flat_.empty()) flat_ = constant(Tensor::of<std::int64_t>({1}, {-1}));
    return flat_;
  }

  void finish() {
    onnx::ValueInfoProto input;
    input.set_name(own_input);
    input.mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
    for (const std::int64_t size : {rows, columns}) {
      input.mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(size);
    }
    *graph().add_input() = input;
    joined_.push_back(node("Reshape", {values_.back(), flat()}));
    node("Concat", joined_);
    auto* last = graph().mutable_node(graph().node_size() - 1);
    auto* axis = last->add_attribute();
    axis->set_name("axis");
    axis->set_type(onnx::AttributeProto::INT);
    axis->set_i(0);
    auto* output = graph().add_output();
    output->set_name(last->output(0));
    output->mutable_type()->mutable_tensor_type()->set_elem_type(TensorProto::FLOAT);
    output->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_param("host_n");
  }

  onnx::ModelProto model_;
  Hosting hosting_;
  Random random_;
  int names_ = 0;
  std::string flat_;
  std::vector<std::string> values_, joined_;
};

/// The sample as the host takes it, in the order of its inputs.
Result<void> write_sample(const onnx::ModelProto& model, const std::vector<NamedTensor>& sample, std::uint64_t seed,
                          const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  Random random(seed, "host sample");
  std::vector<float> own(rows * columns);
  for (float& value : own) value = static_cast<float>(random.normal());
  int position = 0;
  for (const auto& input : interface_of(model).inputs) {
    NamedTensor value{input.name, Tensor::of<float>({rows, columns}, own)};
    for (const auto& given : sample) {
      if (given.name == input.name || prefix + given.name == input.name) value.value = given.value;
    }
    const auto file = folder / ("input_" + std::to_string(position++) + ".pb");
    if (auto written = write_tensor_proto(file, value); !written) return written;
  }
  return {};
}

}  // namespace

onnx::ModelProto hosted(const onnx::ModelProto& inner, const Hosting& hosting, std::uint64_t seed) {
  return Host(inner, hosting, seed).build();
}

bool has_host(const CorpusCase& corpus_case) {
  return std::ranges::find(corpus_case.host_leaves, "everything") == corpus_case.host_leaves.end();
}

Result<void> write_hosted(const CorpusCase& corpus_case, const std::filesystem::path& folder, std::uint64_t seed) {
  if (!has_host(corpus_case)) return write_corpus_case(corpus_case, folder);
  const auto inner = model_of(corpus_case);
  if (!inner) return tl::unexpected(inner.error());
  const auto leaves = [&](const char* what) {
    return std::ranges::find(corpus_case.host_leaves, what) != corpus_case.host_leaves.end();
  };
  const onnx::ModelProto model = hosted(*inner, {!leaves("inputs"), !leaves("outputs")}, seed);
  if (auto saved = save_model(model, folder / "model.onnx"); !saved) return saved;
  for (std::size_t i = 0; i < corpus_case.samples.size(); ++i) {
    const auto set = folder / "data" / ("test_data_set_" + std::to_string(i));
    if (auto ok = write_sample(model, corpus_case.samples[i], seed + i, set); !ok) return ok;
  }
  return {};
}

}  // namespace culprit::testing
