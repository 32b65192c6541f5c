#include "worker/warm_up.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include "runtime/runner_kind.h"

namespace culprit {
namespace {

/// Steps of every level have something to do here.
constexpr const char* small_model = R"(
  <ir_version: 7, opset_import: ["" : 13]>
  warm (float[1,4,8,8] x) => (float[1,4,8,8] y)
  <float[4,4,1,1] w = {1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1}, float[4] one = {1,1,1,1}, float[1] half = {0.5}> {
    a = Identity(x)
    b = Conv(a, w, one)
    c = BatchNormalization(b, one, one, one, one)
    d = Relu(c)
    e = Add(half, half)
    y = Mul(d, e)
  })";

std::string bytes_of_small_model() {
  onnx::ModelProto model;
  return onnx::OnnxParser::Parse(model, small_model).IsOK() ? model.SerializeAsString() : "";
}

}  // namespace

void WarmUp::before(Runner& runner, const SessionOptions& session) {
  if (runner.name() == tflite_kind || runner.name() == tensorflow_kind) return;  // these ran their known model
  if (!warm_.insert(session.provider).second) return;
  SessionOptions plain;
  plain.level = Level::all;
  plain.threads = session.threads;
  plain.provider = session.provider;
  (void)runner.load(ModelInMemory{bytes_of_small_model(), {}}, plain);
}

}  // namespace culprit
