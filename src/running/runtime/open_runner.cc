#include "runtime/open_runner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {

Result<std::unique_ptr<Runner>> open_runner(const RunnerSpec& spec) {
  if (spec.kind == onnxruntime_kind) return open_onnxruntime(spec.library);
  if (spec.kind == tflite_kind) return open_tflite(spec.library);
  if (spec.kind == tensorflow_kind) return open_tensorflow(spec.library);
  return fail(ErrorKind::internal, fmt::format("no runner is called '{}'", printable(spec.kind, 60)));
}

}  // namespace culprit
