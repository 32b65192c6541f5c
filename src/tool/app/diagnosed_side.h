#pragma once
// The source or the target of `culprit diagnose`: a file of any format as a Side.

#include <filesystem>
#include <memory>
#include <optional>

#include "base/error.h"
#include "conversion/sides/side.h"
#include "model/model.h"
#include "record/diagnosis.h"

namespace culprit {

/// A model, its layers, and how it is run.
struct DiagnosedSide {
  NetworkFacts facts;
  std::unique_ptr<Side> side;
};

enum class SideRole { source, target };

/// Writes below `folder`, which is made. A file of Keras, which `model` is the graph of (app/trained_model.h), has the
/// layers of Keras as a source; as a target it is that graph, because repairs are tried on targets. Errors:
/// unsupported, no side of this format can be opened; those of reading the network.
Result<DiagnosedSide> open_diagnosed_side(const Model& model, SideRole role, const std::filesystem::path& folder,
                                          const SideOptions& options);

/// The only batch that the model runs at though it says that any will do (conversion/sides/only_batch.h).
std::optional<std::int64_t> only_batch_of(const Model& model);

}  // namespace culprit
