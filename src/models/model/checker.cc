#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <exception>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/model.h"
#include "model/order_by_use.h"
#include "model/placed_weights.h"

namespace culprit {

namespace {

/// The checker looks whether there are raw bytes, not how many, and for files of external data. So of a placed tensor
/// it is shown one byte: the same as of the whole model, which may be larger than 2 GiB.
onnx::ModelProto with_stand_ins(const onnx::ModelProto& model) {
  onnx::ModelProto copy = model;
  for_each_tensor(copy, [](const onnx::TensorProto& placed) {
    if (!placed_content(placed)) return;
    auto& tensor = const_cast<onnx::TensorProto&>(placed);  // of the copy
    tensor.clear_external_data();
    tensor.clear_data_location();
    tensor.set_raw_data(std::string(1, '\0'));
  });
  return copy;
}

bool has_placed(const onnx::ModelProto& model) {
  bool found = false;
  for_each_tensor(model, [&](const onnx::TensorProto& tensor) { found = found || placed_content(tensor); });
  return found;
}

std::string complaint_of(const onnx::ModelProto& model, bool full_check) {
  std::string complaint;
  try {
    if (has_placed(model)) {
      onnx::checker::check_model(with_stand_ins(model), full_check);
    } else {
      onnx::checker::check_model(model, full_check);
    }
    return "";
  } catch (const std::exception& thrown) {
    complaint = printable(trim(thrown.what()));
  } catch (...) {
    complaint.clear();
  }
  return complaint.empty() ? "the checker gave up without a word" : complaint;
}

}  // namespace

std::string checker_complaint(const onnx::ModelProto& model) { return complaint_of(model, /*full_check=*/false); }

std::string complaint_but_for_order(const onnx::ModelProto& model) {
  if (nodes_too_early(model.graph()) == 0) return checker_complaint(model);
  onnx::ModelProto sorted = model;
  sort_by_use(*sorted.mutable_graph());
  return checker_complaint(sorted);
}

std::string declared_types_complaint(const onnx::ModelProto& model) { return complaint_of(model, /*full_check=*/true); }

}  // namespace culprit
