// Graphs in graphs, and functions.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

void add_graph(onnx::NodeProto& node, const char* name, const onnx::GraphProto& graph) {
  auto* attribute = node.add_attribute();
  attribute->set_name(name);
  attribute->set_type(onnx::AttributeProto::GRAPH);
  *attribute->mutable_g() = graph;
}

void add_constant(onnx::GraphProto& graph, const std::string& name, int type, std::int64_t value) {
  auto* tensor = graph.add_initializer();
  tensor->set_name(name);
  tensor->set_data_type(type);
  if (type == onnx::TensorProto::BOOL) {
    tensor->add_int32_data(static_cast<std::int32_t>(value != 0));
  } else {
    tensor->add_int64_data(value);
  }
}

/// What a node does, as the body of something. It captures the node's inputs.
onnx::GraphProto body_of(const onnx::NodeProto& node, const EditableModel& work) {
  onnx::GraphProto body;
  body.set_name(work.chance(0.9) ? "body" : edge_name(work));
  *body.add_node() = node;
  for (auto& output : *body.mutable_node(0)->mutable_output()) {
    output += "_inside";
    body.add_output()->set_name(output);
  }
  if (work.chance(0.2)) body.mutable_output()->Clear();
  return body;
}

onnx::NodeProto if_of(onnx::GraphProto& graph, const onnx::NodeProto& node, const EditableModel& work) {
  onnx::NodeProto branch;
  branch.set_op_type("If");
  branch.add_input(work.chance(0.9) ? "fuzz_condition" : work.name_in(graph));
  add_constant(graph, "fuzz_condition", onnx::TensorProto::BOOL, work.below(2));
  *branch.mutable_output() = node.output();
  add_graph(branch, "then_branch", body_of(node, work));
  if (work.chance(0.9)) add_graph(branch, "else_branch", body_of(node, work));
  return branch;
}

bool wrap_in_if(const EditableModel& work) {
  auto& graph = work.graph();
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr) return false;
  *node = if_of(graph, onnx::NodeProto(*node), work);
  return true;
}

/// Deeper than most readers follow; protobuf's own stop at 100 messages.
bool wrap_deeply(const EditableModel& work) {
  auto& graph = *work.model.mutable_graph();
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr) return false;
  onnx::NodeProto inner = *node;
  for (int depth = one_of(std::vector<int>{3, 12, 30, 33, 34, 80}, work); depth > 0; --depth) {
    onnx::NodeProto outer;
    outer.set_op_type("If");
    outer.add_input("fuzz_condition");
    *outer.mutable_output() = node->output();
    const onnx::GraphProto body = body_of(inner, work);
    add_graph(outer, "then_branch", body);
    if (depth < 3) add_graph(outer, "else_branch", body);
    inner = std::move(outer);
  }
  add_constant(graph, "fuzz_condition", onnx::TensorProto::BOOL, 1);
  *node = std::move(inner);
  return true;
}

bool wrap_in_loop(const EditableModel& work) {
  auto& graph = work.graph();
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr) return false;
  onnx::NodeProto loop;
  loop.set_op_type("Loop");
  loop.add_input("fuzz_trips");
  loop.add_input(work.chance(0.5) ? "" : "fuzz_condition");
  onnx::GraphProto body = body_of(*node, work);
  body.mutable_output()->Add();
  for (int i = body.output_size() - 1; i > 0; --i) body.mutable_output()->SwapElements(i, i - 1);
  body.mutable_output(0)->set_name("fuzz_condition_in");
  for (const auto& [name, type] :
       {std::pair{"fuzz_i", onnx::TensorProto::INT64}, {"fuzz_condition_in", onnx::TensorProto::BOOL}}) {
    auto* input = body.add_input();
    input->set_name(name);
    input->mutable_type()->mutable_tensor_type()->set_elem_type(type);
    input->mutable_type()->mutable_tensor_type()->mutable_shape();
  }
  *loop.mutable_output() = node->output();
  add_graph(loop, "body", body);
  const std::int64_t endless = 100'000;  // times a few bytes: a while, and more memory than it looks
  add_constant(graph, "fuzz_trips", onnx::TensorProto::INT64,
               work.chance(0.8)   ? work.below(4)
               : work.chance(0.5) ? endless
                                  : edge_number(work));
  add_constant(graph, "fuzz_condition", onnx::TensorProto::BOOL, 1);
  *node = std::move(loop);
  return true;
}

onnx::FunctionProto* add_function(const EditableModel& work, const onnx::NodeProto& like) {
  auto* function = work.model.add_functions();
  function->set_name(like.op_type());
  function->set_domain(like.domain());
  for (int i = 0; i < like.input_size(); ++i) function->add_input("in" + std::to_string(i));
  for (int i = 0; i < like.output_size(); ++i) function->add_output("out" + std::to_string(i));
  if (work.chance(0.9)) *function->mutable_opset_import() = work.model.opset_import();
  return function;
}

/// The node's own operator, defined by itself or by another function that needs the first.
bool recurse(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr) return false;
  const bool two = work.chance(0.4);
  if (work.chance(0.6)) node->set_domain("fuzz");
  for (int i = 0; i <= static_cast<int>(two); ++i) {
    onnx::NodeProto like = *node;
    if (i == 1) like.set_op_type(like.op_type() + "2");
    auto* function = add_function(work, like);
    auto* call = function->add_node();
    call->set_op_type(two && i == 0 ? node->op_type() + "2" : node->op_type());
    call->set_domain(node->domain());
    *call->mutable_input() = function->input();
    *call->mutable_output() = function->output();
  }
  if (work.chance(0.7)) {
    auto* opset = work.model.add_opset_import();
    opset->set_domain("fuzz");
    opset->set_version(1);
  }
  return true;
}

/// A node becomes a call of a function that does the same; now and then with something wrong.
bool make_function(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr) return false;
  const onnx::NodeProto original = *node;
  node->set_op_type("FuzzFunction");
  node->set_domain(work.chance(0.8) ? "fuzz" : edge_name(work));
  auto* function = add_function(work, *node);
  auto* inner = function->add_node();
  *inner = original;
  *inner->mutable_input() = function->input();
  *inner->mutable_output() = function->output();
  auto* opset = work.model.add_opset_import();
  opset->set_domain(work.chance(0.8) ? "fuzz" : "elsewhere");
  opset->set_version(work.chance(0.8) ? 1 : edge_number(work));
  if (work.chance(0.3)) function->add_attribute("alpha");
  if (work.chance(0.2)) function->add_input(edge_name(work));
  if (work.chance(0.1)) *work.model.add_functions() = onnx::FunctionProto(*function);
  return true;
}

bool capture_nothing(const EditableModel& work) {
  const auto graphs = work.graphs();
  auto& graph = *one_of(graphs, work);
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr || node->input().empty()) return false;
  node->set_input(0, "captured_from_nowhere");
  return true;
}

/// A name of the outer graph, made again inside.
bool shadow(const EditableModel& work) {
  const auto graphs = work.graphs();
  if (graphs.size() < 2) return false;
  auto* node = pick(graphs.back()->mutable_node(), work);
  if (node == nullptr || node->output().empty()) return false;
  node->set_output(0, work.name_in(*graphs.front()));
  return true;
}

}  // namespace

std::vector<Mutation> nesting_mutations() {
  return {{"node in an If", wrap_in_if},
          {"node in many Ifs", wrap_deeply},
          {"node in a Loop", wrap_in_loop},
          {"function that needs itself", recurse},
          {"node made a function", make_function},
          {"capture of nothing", capture_nothing},
          {"name shadowed", shadow}};
}

}  // namespace culprit::fuzz
