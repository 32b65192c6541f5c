// Initializers and tensors in attributes: what they say of themselves, what they hold, and where it lies.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

bool retype(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  tensor->set_data_type(edge_type(work));
  return true;
}

bool change_dims(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  if (tensor->dims_size() > 0 && work.chance(0.7)) {
    tensor->set_dims(work.below(tensor->dims_size()), edge_number(work));
  } else if (tensor->dims_size() > 0 && work.chance(0.5)) {
    tensor->mutable_dims()->RemoveLast();
  } else {
    for (int i = work.chance(0.1) ? 100 : 2; i > 0; --i) tensor->add_dims(edge_number(work));
  }
  return true;
}

bool lengthen(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  switch (work.below(4)) {
    case 0:
      tensor->mutable_raw_data()->append(static_cast<std::size_t>(work.below(9)) + 1, '\x7f');
      break;
    case 1:
      tensor->add_float_data(edge_float(work));
      break;
    case 2:
      tensor->add_int64_data(edge_number(work));
      break;
    default:
      tensor->add_int32_data(static_cast<std::int32_t>(edge_number(work)));
  }
  return true;
}

bool shorten(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  if (tensor->has_raw_data() && !tensor->raw_data().empty()) {
    tensor->mutable_raw_data()->resize(
        static_cast<std::size_t>(work.below(static_cast<int>(tensor->raw_data().size()))));
  } else if (tensor->float_data_size() > 0) {
    tensor->mutable_float_data()->Truncate(work.below(tensor->float_data_size()));
  } else if (tensor->int64_data_size() > 0) {
    tensor->mutable_int64_data()->Truncate(work.below(tensor->int64_data_size()));
  } else {
    tensor->clear_int32_data();
    tensor->clear_string_data();
    tensor->clear_double_data();
  }
  return true;
}

bool change_values(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  if (auto* number = pick(tensor->mutable_int64_data(), work)) {
    *number = edge_number(work);
  } else if (auto* real = pick(tensor->mutable_float_data(), work)) {
    *real = edge_float(work);
  } else if (auto* word = pick(tensor->mutable_string_data(), work)) {
    *word = edge_name(work);
  } else if (!tensor->raw_data().empty()) {
    auto& raw = *tensor->mutable_raw_data();
    for (int i = work.below(16); i >= 0; --i)
      raw[static_cast<std::size_t>(work.below(static_cast<int>(raw.size())))] = static_cast<char>(work.random.next());
  } else {
    return false;
  }
  return true;
}

bool make_strings(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  const int count = work.chance(0.1) ? 50'000 : 3;
  tensor->Clear();
  tensor->set_name(work.name_in(work.model.graph()));
  tensor->set_data_type(onnx::TensorProto::STRING);
  tensor->add_dims(work.chance(0.7) ? count : edge_number(work));
  for (int i = 0; i < count; ++i) tensor->add_string_data(i == 0 ? edge_name(work) : "text");
  return true;
}

/// Where the fuzzer has put nothing, a small file, a link out of the folder, a pipe and a folder (batch.cc).
std::string location(const EditableModel& work) {
  static const std::vector<std::string> places{"weights.bin",
                                               "../secret",
                                               "/etc/passwd",
                                               "",
                                               ".",
                                               "..",
                                               "inner/../../secret",
                                               "./weights.bin",
                                               "link.bin",
                                               "pipe.bin",
                                               "/dev/zero",
                                               "/proc/self/mem",
                                               "/proc/self/fd/0",
                                               "folder.bin",
                                               "missing.bin",
                                               "weights.bin/",
                                               "//etc//passwd",
                                               "C:\\secret",
                                               "file:///etc/passwd",
                                               "~/.profile",
                                               "0.onnx"};
  if (work.chance(0.9)) return one_of(places, work);
  return work.chance(0.5) ? std::string(5000, 'a') : edge_name(work);
}

bool move_outside(const EditableModel& work) {
  static const std::vector<std::string> amounts{
      "0",   "4",   "64", "-1",  "4096", "18446744073709551615", "9223372036854775807", "9223372036854775808",
      "abc", "1e3", "",   " 12", "0x10"};
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  const auto add = [&](const std::string& key, const std::string& value) {
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  tensor->set_data_location(onnx::TensorProto::EXTERNAL);
  if (work.chance(0.8)) tensor->clear_raw_data();
  if (work.chance(0.8)) tensor->clear_float_data();
  if (work.chance(0.95)) add("location", location(work));
  if (work.chance(0.1)) add("location", location(work));
  if (work.chance(0.5)) add("offset", one_of(amounts, work));
  if (work.chance(0.5)) add("length", one_of(amounts, work));
  if (work.chance(0.2)) add("checksum", edge_name(work));
  if (work.chance(0.1)) add(edge_name(work), edge_name(work));
  return true;
}

bool make_sparse(const EditableModel& work) {
  auto& graph = work.graph();
  auto* sparse = graph.add_sparse_initializer();
  auto* values = sparse->mutable_values();
  if (!graph.initializer().empty() && work.chance(0.7)) {
    const int taken = work.below(graph.initializer_size());
    *values = graph.initializer(taken);
    for (const auto dim : values->dims()) sparse->add_dims(dim);
    if (work.chance(0.7)) graph.mutable_initializer()->DeleteSubrange(taken, 1);
  } else {
    values->set_name(work.name_in(graph));
    values->set_data_type(edge_type(work));
  }
  auto* indices = sparse->mutable_indices();
  indices->set_data_type(onnx::TensorProto::INT64);
  indices->add_dims(2);
  for (int i = 0; i < 2; ++i) indices->add_int64_data(work.chance(0.5) ? i : edge_number(work));
  return true;
}

bool drop(const EditableModel& work) {
  auto& initializers = *work.graph().mutable_initializer();
  if (initializers.empty()) return false;
  initializers.DeleteSubrange(work.below(initializers.size()), 1);
  return true;
}

bool duplicate(const EditableModel& work) {
  auto& graph = work.graph();
  if (graph.initializer().empty()) return false;
  const onnx::TensorProto copy = graph.initializer(work.below(graph.initializer_size()));
  *graph.add_initializer() = copy;
  if (work.chance(0.3)) graph.mutable_initializer(graph.initializer_size() - 1)->set_name(work.name_in(graph));
  return true;
}

bool make_input(const EditableModel& work) {
  auto& graph = work.graph();
  auto* tensor = pick(graph.mutable_initializer(), work);
  if (tensor == nullptr) return false;
  auto* input = graph.add_input();
  input->set_name(tensor->name());
  input->mutable_type()->mutable_tensor_type()->set_elem_type(work.chance(0.8) ? tensor->data_type() : edge_type(work));
  for (const auto dim : tensor->dims())
    input->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(
        work.chance(0.8) ? dim : edge_number(work));
  return true;
}

bool cut_in_segments(const EditableModel& work) {
  auto* tensor = work.tensor();
  if (tensor == nullptr) return false;
  tensor->mutable_segment()->set_begin(edge_number(work));
  tensor->mutable_segment()->set_end(edge_number(work));
  return true;
}

bool annotate(const EditableModel& work) {
  auto& graph = work.graph();
  auto* annotation = graph.add_quantization_annotation();
  annotation->set_tensor_name(work.name_in(graph));
  for (const char* key : {"SCALE_TENSOR", "ZERO_POINT_TENSOR"}) {
    auto* entry = annotation->add_quant_parameter_tensor_names();
    entry->set_key(work.chance(0.8) ? key : edge_name(work));
    entry->set_value(work.name_in(graph));
  }
  return true;
}

}  // namespace

std::vector<Mutation> tensor_mutations() {
  return {{"tensor of another type", retype},        {"tensor of other dims", change_dims},
          {"tensor data too long", lengthen},        {"tensor data too short", shorten},
          {"tensor values at edges", change_values}, {"tensor of strings", make_strings},
          {"external data", move_outside},           {"external data", move_outside},
          {"sparse initializer", make_sparse},       {"initializer dropped", drop},
          {"initializer twice", duplicate},          {"initializer also an input", make_input},
          {"tensor in segments", cut_in_segments},   {"quantization annotation", annotate}};
}

}  // namespace culprit::fuzz
