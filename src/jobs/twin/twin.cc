#include "twin/twin.h"

#include <fmt/format.h>
#include <onnx/onnx_pb.h>

#include <climits>
#include <memory>

#include "base/text.h"
#include "model/external_data.h"
#include "twin/find_weights.h"
#include "twin/freeze_weights.h"
#include "twin/seeded_weights.h"

namespace culprit {
namespace {

/// The model is named in every message.
Error about(const Model& model, Error error) {
  const std::string name = printable(model.path.string());
  if (!error.message.starts_with(name)) error.message = name + ": " + error.message;
  return error;
}

/// Before external data are read.
Result<void> must_fit(const Model& model) {
  const auto bytes = inlined_bytes(*model.proto, model.path.parent_path());
  if (!bytes) return tl::unexpected(bytes.error());
  if (*bytes <= INT_MAX) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("it takes {} with its external data, but a twin is one file, and no model file can be larger "
                          "than 2 GiB",
                          human_bytes(*bytes)),
              "take a smaller model of the same kind");
}

Result<void> reweight(const std::shared_ptr<onnx::ModelProto>& twin, const WeightMap& map, const TwinOptions& options,
                      const CalibrationTools& tools, TwinFacts& facts) {
  if (map.weights.empty()) {
    return fail(ErrorKind::bad_input, "there are no weights to make: no operator takes a constant as one",
                "--frozen keeps what is there");
  }
  if (auto seeded = seed_weights(*twin, map, options.seed); !seeded) return seeded;
  for (const Weight& weight : map.weights) {
    ++(weight.is_computed ? facts.made : facts.replaced);
    facts.elements += element_count(weight.shape).value_or(0);
  }
  facts.left_alone = map.left_alone;
  auto calibrated = calibrate(twin, map, options.seed, tools);
  if (!calibrated) return tl::unexpected(calibrated.error());
  facts.calibration = *calibrated;
  return {};
}

}  // namespace

Result<TwinFacts> make_twin(const Model& model, const std::filesystem::path& out, const TwinOptions& options,
                            const CalibrationTools& tools) {
  if (auto fits = must_fit(model); !fits) return tl::unexpected(about(model, fits.error()));
  const auto twin = std::make_shared<onnx::ModelProto>(*model.proto);
  if (auto inlined = inline_external_data(*twin, model.path.parent_path()); !inlined) {
    return tl::unexpected(about(model, inlined.error()));
  }
  TwinFacts facts;
  facts.ir_before = twin->ir_version();
  facts.frozen = freeze(*twin);
  facts.ir_version = twin->ir_version();
  const WeightMap map = find_weights(*twin);
  facts.kind = options.kind.value_or(has_constant_weights(map) ? TwinKind::reweighted : TwinKind::frozen);
  if (facts.kind == TwinKind::reweighted) {
    if (auto ok = reweight(twin, map, options, tools, facts); !ok) return tl::unexpected(about(model, ok.error()));
  }
  if (auto saved = save_model(*twin, out); !saved) return tl::unexpected(about(model, saved.error()));
  std::error_code ignored;
  facts.bytes = std::filesystem::file_size(out, ignored);
  return facts;
}

}  // namespace culprit
