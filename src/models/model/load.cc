#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <climits>

#include "base/file.h"
#include "base/hash.h"
#include "base/text.h"
#include "model/external_data.h"
#include "model/file_kind.h"
#include "model/model.h"
#include "model/model_folder.h"
#include "model/model_format.h"

namespace culprit {
namespace {

constexpr std::uint64_t protobuf_limit = INT_MAX;  // bytes; protobuf counts with int

/// What another framework made is told before its bytes seem to be damaged.
Result<void> must_be_onnx(const fs::path& path) {
  const ModelFormat format = format_of(path);
  if (format == ModelFormat::onnx) return {};
  const char* what = format == ModelFormat::tflite        ? "a TFLite model"
                     : format == ModelFormat::saved_model ? "a SavedModel of TensorFlow"
                     : format == ModelFormat::keras       ? "a model of Keras"
                                                          : "a frozen graph of TensorFlow";
  return fail(ErrorKind::usage, fmt::format("{}: not an ONNX model: it is {}", printable(path.string()), what),
              "culprit compare, diagnose, eval and profile take it as it is; for all else convert it to ONNX first");
}

Result<std::string> read_model_file(const fs::path& path) {
  if (auto ok = must_be_onnx(path); !ok) return tl::unexpected(ok.error());
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return tl::unexpected(no_model_in(path));
  if (fs::is_regular_file(path, ignored)) {
    const auto size = fs::file_size(path, ignored);
    if (!ignored && size > protobuf_limit) {
      return fail(ErrorKind::unsupported,
                  fmt::format("{}: {}, but a model file cannot be larger than 2 GiB", printable(path.string()),
                              human_bytes(size)),
                  "save the model with its weights as external data");
    }
  }
  auto bytes = read_file(path, protobuf_limit);
  if (bytes && bytes->empty()) {
    return fail(ErrorKind::bad_input, fmt::format("{}: the file is empty", printable(path.string())),
                "the copy or export failed; make the file again");
  }
  return bytes;
}

/// Bytes that protobuf refuses, or that it reads as something without a graph (it passes over fields it does not know).
tl::unexpected<Error> not_a_model(const fs::path& path, std::string_view bytes, std::string_view why) {
  const std::string where = printable(path.string());
  if (path.extension() == ".tflite") {
    const auto guess = guess_format(bytes);
    return fail(ErrorKind::bad_input,
                where + ": neither ONNX nor TFLite" + (guess.what.empty() ? "" : ": it looks like " + guess.what),
                "check that the file was copied whole; one of TFLite has the letters TFL3 after its first four bytes");
  }
  if (auto guess = guess_format(bytes); !guess.what.empty()) {
    return fail(ErrorKind::bad_input, fmt::format("{}: not an ONNX model: it looks like {}", where, guess.what),
                std::move(guess.hint));
  }
  return fail(ErrorKind::bad_input, fmt::format("{}: {}", where, why),
              "check that the file is an ONNX model and was copied whole");
}

Result<std::shared_ptr<onnx::ModelProto>> parse(const fs::path& path, std::string_view bytes) {
  auto model = std::make_shared<onnx::ModelProto>();
  // Nesting is limited to protobuf's 100 levels by default, which protects every recursion over graphs.
  if (!model->ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    const std::string damage = describe_damage(bytes);
    return not_a_model(path, bytes,
                       damage.empty() ? "not an ONNX model: not a protobuf file" : "the model is " + damage);
  }
  if (!model->has_graph()) {
    return not_a_model(path, bytes,
                       model->ir_version() > 0
                           ? "not an ONNX model: it holds no graph (cut short, or a file of TensorFlow)"
                           : "not an ONNX model: it holds no graph");
  }
  if (model->ir_version() <= 0) return not_a_model(path, bytes, "not an ONNX model: it names no IR version");
  return model;
}

Result<void> check_header(const fs::path& path, const onnx::ModelProto& model) {
  if (model.ir_version() > onnx::Version::IR_VERSION) {
    return fail(ErrorKind::unsupported,
                fmt::format("{}: its IR version is {}, but this culprit is built with ONNX {}, which knows up to {}",
                            printable(path.string()), model.ir_version(), CULPRIT_ONNX_VERSION,
                            static_cast<int>(onnx::Version::IR_VERSION)),
                fmt::format("export with an older IR version (model.ir_version = {}), or use a newer culprit",
                            static_cast<int>(onnx::Version::IR_VERSION)));
  }
  // From IR 3 on the operator sets are named after the graph, so a file cut there still parses.
  if (model.ir_version() >= 3 && model.opset_import().empty() && !model.graph().node().empty()) {
    return fail(ErrorKind::bad_input,
                fmt::format("{}: it names no operator set (opset_import), which IR version {} needs",
                            printable(path.string()), model.ir_version()),
                "the file was cut short, or its exporter is wrong; export it again");
  }
  return {};
}

}  // namespace

Result<onnx::ModelProto> load_proto(const fs::path& path) {
  const auto bytes = read_model_file(path);
  if (!bytes) return tl::unexpected(bytes.error());
  auto proto = parse(path, *bytes);
  if (!proto) return tl::unexpected(std::move(proto.error()));
  if (auto header = check_header(path, **proto); !header) return tl::unexpected(std::move(header.error()));
  return std::move(**proto);
}

Result<Model> load_model(const fs::path& path) { return load_model_apart(path, ""); }

Result<Model> load_model_apart(const fs::path& path, const fs::path& data_folder) {
  auto bytes = read_model_file(path);
  if (!bytes) return tl::unexpected(std::move(bytes.error()));
  auto proto = parse(path, *bytes);
  if (!proto) return tl::unexpected(std::move(proto.error()));
  if (auto header = check_header(path, **proto); !header) return tl::unexpected(std::move(header.error()));

  auto external = check_external_data(**proto, data_folder.empty() ? path.parent_path() : data_folder);
  if (!external) {
    external.error().message = fmt::format("{}: {}", printable(path.string()), external.error().message);
    return tl::unexpected(std::move(external.error()));
  }

  Model model;
  model.path = path;
  model.facts = facts_of(**proto);
  model.facts.path = path.string();
  model.facts.bytes = bytes->size();
  model.facts.sha256 = sha256_of(*bytes);
  model.interface = interface_of(**proto);
  model.has_external_data = *external;
  model.proto = std::move(*proto);
  return model;
}

}  // namespace culprit
