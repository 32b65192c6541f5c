#include <onnx/checker.h>
#include <onnx/onnx_pb.h>

#include <exception>

#include "base/text.h"
#include "model/model.h"

namespace culprit {

std::string checker_complaint(const onnx::ModelProto& model) {
  std::string complaint;
  try {
    onnx::checker::check_model(model, /*full_check=*/false);
    return "";
  } catch (const std::exception& thrown) {
    complaint = printable(trim(thrown.what()));
  } catch (...) {
    complaint.clear();
  }
  return complaint.empty() ? "the checker gave up without a word" : complaint;
}

}  // namespace culprit
