#include "app/diagnosed_side.h"

#include <fmt/format.h>

#include "base/folder.h"
#include "base/text.h"
#include "compare/editable_model.h"
#include "conversion/sides/only_batch.h"
#include "keras/keras_model.h"
#include "model/inline_functions.h"
#include "model/model_format.h"
#include "network/keras/keras_graph.h"
#include "network/keras/read_keras_network.h"
#include "network/onnx/read_onnx_network.h"
#include "runtime/freeze_keras.h"

namespace culprit {
namespace {

/// Faults in the bodies of functions can be named and mended where these are written out.
Model without_functions(const Model& given) {
  if (given.proto->functions_size() == 0) return given;
  auto proto = std::make_shared<onnx::ModelProto>(*given.proto);
  Model model = given;
  if (inline_functions(*proto)) model.proto = std::move(proto);
  return model;
}

Result<std::unique_ptr<Side>> onnx_side(const Model& given, const std::filesystem::path& folder,
                                        const SideOptions& options) {
  const Model model = without_functions(given);
  onnx::ModelProto inside = *model.proto;
  if (auto ok = inline_external_data(inside, model.path.parent_path()); !ok) return tl::unexpected(ok.error());
  auto network = read_onnx_network(inside);
  if (!network) return tl::unexpected(network.error());
  auto editable = make_editable_model(model, folder);
  if (!editable) return tl::unexpected(editable.error());
  return open_onnx_side(std::move(*editable), std::move(*network), options);
}

Result<std::unique_ptr<Side>> tflite_side(const Model& model, const std::filesystem::path& folder,
                                          const SideOptions& options) {
  auto file = TfliteFile::open(model.path);
  if (!file) return tl::unexpected(file.error());
  return open_tflite_side(std::move(*file), folder, options);
}

/// `model`: the graph that Keras made of the file which its facts name. What Python would run was refused by then.
Result<std::unique_ptr<Side>> keras_side(const Model& model, const std::filesystem::path& folder,
                                         const SideOptions& options) {
  const auto file = read_keras_file(model.facts.path, {.trust = true});
  if (!file) return tl::unexpected(file.error());
  auto network = read_keras_network(*file);
  if (!network) return tl::unexpected(network.error());
  auto graph = read_keras_graph(values_of_keras(model.path));
  if (!graph) return tl::unexpected(graph.error());
  auto run = as_run_by(std::move(*network), std::move(*graph));
  if (!run) {
    run.error().message = printable(model.facts.path) + ": " + run.error().message;
    return tl::unexpected(std::move(run.error()));
  }
  return open_keras_side(std::move(*run), model.path, folder, options);
}

/// The one place that knows which formats can be looked into.
Result<std::unique_ptr<Side>> side_of(const Model& model, SideRole role, const std::filesystem::path& folder,
                                      const SideOptions& options) {
  if (role == SideRole::source && format_of(model.facts.path) == ModelFormat::keras)
    return keras_side(model, folder, options);
  const ModelFormat format = format_of(model.path);
  if (format == ModelFormat::onnx) return onnx_side(model, folder, options);
  if (format == ModelFormat::tflite) return tflite_side(model, folder, options);
  if (format == ModelFormat::frozen_graph) return open_tensorflow_side(model.path, folder, options);
  return fail(ErrorKind::unsupported,
              fmt::format("{}: layers of a model of the format {} cannot be looked into yet",
                          printable(model.path.string()), name_of(format)),
              "culprit compare holds its outputs against those of another model");
}

}  // namespace

Result<DiagnosedSide> open_diagnosed_side(const Model& model, SideRole role, const std::filesystem::path& folder,
                                          const SideOptions& options) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto side = side_of(model, role, folder, options);
  if (!side) return tl::unexpected(side.error());
  DiagnosedSide opened;
  const bool is_keras = format_of(model.facts.path) == ModelFormat::keras;
  opened.facts = {model.facts.path, model.facts.sha256,
                  std::string(name_of(is_keras ? ModelFormat::keras : format_of(model.path))),
                  static_cast<std::int64_t>((*side)->network().layers.size())};
  opened.side = std::move(*side);
  return opened;
}

std::optional<std::int64_t> only_batch_of(const Model& model) {
  if (format_of(model.path) != ModelFormat::tflite) return std::nullopt;
  const auto file = TfliteFile::open(model.path);
  return file ? only_batch(*file) : std::nullopt;
}

}  // namespace culprit
