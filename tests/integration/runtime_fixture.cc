#include "runtime_fixture.h"

#include <onnx/defs/parser.h>
#include <onnx/onnx_pb.h>

#include <fstream>

#include "runtime/find_library.h"
#include "runtime/open_runner.h"

namespace culprit::testing {

RuntimeTest::RuntimeTest() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-runtime").value()) {
  const auto library = find_onnxruntime("");
  if (!library) throw std::runtime_error(library.error().text());
  auto opened = open_onnxruntime(*library);
  if (!opened) throw std::runtime_error(opened.error().text());
  runner_ = std::move(*opened);
}

Result<std::unique_ptr<RunnerSession>> RuntimeTest::try_load(const std::string& text, const SessionOptions& options) {
  return runner_->load(write_text_model(text, folder()), options);
}

std::unique_ptr<RunnerSession> RuntimeTest::load(const std::string& text, const SessionOptions& options) {
  auto session = try_load(text, options);
  if (!session) throw std::runtime_error(session.error().text());
  return std::move(*session);
}

fs::path write_text_model(const std::string& text, const fs::path& folder) {
  onnx::ModelProto model;
  const auto status = onnx::OnnxParser::Parse(model, text.c_str());
  if (!status.IsOK()) throw std::runtime_error(status.ErrorMessage());
  const fs::path path = folder / "model.onnx";
  std::ofstream file(path, std::ios::binary);
  if (!model.SerializeToOstream(&file)) throw std::runtime_error("cannot write " + path.string());
  return path;
}

std::vector<std::string> ops_in(const fs::path& path) {
  onnx::ModelProto model;
  std::ifstream file(path, std::ios::binary);
  if (!model.ParseFromIstream(&file)) throw std::runtime_error("cannot read " + path.string());
  std::vector<std::string> ops;
  for (const auto& node : model.graph().node()) ops.push_back(node.op_type());
  return ops;
}

}  // namespace culprit::testing
