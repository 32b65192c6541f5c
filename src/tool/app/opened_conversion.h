#pragma once
// The files of a conversion, opened, with what both ends are fed and what the source gives: what `diagnose` and
// `repair` begin with.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/diagnosed_side.h"
#include "app/requests.h"
#include "app/workshop.h"
#include "check/check.h"
#include "conversion/diagnose.h"
#include "data/data_set.h"
#include "trial/reference.h"

namespace culprit {

/// It stays at one place in memory, for its reference names its source and its options.
struct OpenedConversion {
  OpenedConversion() = default;
  OpenedConversion(const OpenedConversion&) = delete;
  OpenedConversion& operator=(const OpenedConversion&) = delete;

  std::vector<Model> models;  ///< the source first, the target last
  CheckData data;
  ModelReport baseline;                ///< of the source
  CheckOptions check;                  ///< how models are run and judged
  std::optional<Reference> reference;  ///< of the source
  std::vector<DiagnosedSide> files;    ///< of the models
  CompareSamples samples;              ///< what the source is fed and gives
  DiagnoseOptions options;

  [[nodiscard]] bool can_be_judged() const;
  [[nodiscard]] std::string why_not_judged() const;
  [[nodiscard]] const Model& source() const { return models.front(); }
  [[nodiscard]] const Model& target() const { return models.back(); }
};

/// Opens all files and runs the source. `work`: for all that is made. Errors: those of reading the models and the data;
/// usage (--target-data); unsupported; interrupted; io.
Result<std::unique_ptr<OpenedConversion>> open_conversion(Workshop& workshop, const DiagnoseRequest& request,
                                                          const std::filesystem::path& work);

/// What source and target decide on all of the data, where there is some: the diagnosis gets it, and is faulty where
/// they part. `target`: as the diagnosis bound it. Errors: usage, interrupted, io.
Result<void> decide_on_target(Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                              const Model& target, const std::filesystem::path& work, Diagnosis& diagnosis);

/// Fills in the facts of the files, the data and the request. `target`: what was diagnosed.
void tell_facts(const Workshop& workshop, const DiagnoseRequest& request, const OpenedConversion& conversion,
                const NetworkFacts& target, Diagnosis& diagnosis);

}  // namespace culprit
