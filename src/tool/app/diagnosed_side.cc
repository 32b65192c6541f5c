#include "app/diagnosed_side.h"

#include <fmt/format.h>

#include "base/folder.h"
#include "base/text.h"
#include "compare/editable_model.h"
#include "conversion/sides/only_batch.h"
#include "model/model_format.h"
#include "network/onnx/read_onnx_network.h"

namespace culprit {
namespace {

Result<std::unique_ptr<Side>> onnx_side(const Model& model, const std::filesystem::path& folder,
                                        const SideOptions& options) {
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

/// The one place that knows which formats can be looked into.
Result<std::unique_ptr<Side>> side_of(const Model& model, const std::filesystem::path& folder,
                                      const SideOptions& options) {
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

Result<DiagnosedSide> open_diagnosed_side(const Model& model, const std::filesystem::path& folder,
                                          const SideOptions& options) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto side = side_of(model, folder, options);
  if (!side) return tl::unexpected(side.error());
  DiagnosedSide opened;
  opened.facts = {model.facts.path, model.facts.sha256, std::string(name_of(format_of(model.path))),
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
