#pragma once
// `check` and `localize` as a library: models are checked one after the other, and their faults kept in the folder of
// the run.

#include <filesystem>
#include <functional>
#include <optional>
#include <vector>

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "app/workshop.h"
#include "check/decisions/decision_data.h"
#include "data/data_set.h"
#include "record/report.h"

namespace culprit {

struct CheckAnswer {
  Report report;
  RunFolder folder;  ///< whoever asked finishes it with the report; what was kept is seen only then
  /// No model could be begun with, and the folder holds the report of an earlier run, which is worth more.
  bool keeps_earlier = false;
  bool was_interrupted = false;  ///< then the report tells of the models that were finished
};

/// Each model that is finished is told to the listener. A model that cannot be read is no Error, but a report that says
/// so. Errors: usage, interrupted (no model was finished), io, internal; bad_input for a variant that cannot be read.
Result<CheckAnswer> check_models(const CheckRequest& request, const Caller& caller);

/// What is done with a model that could be read and with what to feed it.
using CheckWith = std::function<Result<ModelReport>(const Model&, const std::vector<Proposal>&,
                                                    const CheckOptions& options, const CheckTools& tools)>;

/// The report on one model of the request, with its faulty variants kept. `held_against`: the variant that was given,
/// or nullptr. An Error ends the run.
Result<ModelReport> check_one(Workshop& workshop, const CheckRequest& request, std::size_t index,
                              const Model* held_against, const CheckWith& check_with);

/// What is decided on all of the data, by the task that is asked for, culprit.yaml beside the model, or what fits;
/// nothing where no data are named. It views `opened`. Errors: what is wrong with culprit.yaml.
Result<std::optional<DecisionData>> whole_data_of(const CheckData& opened, const Model& model, const std::string& task,
                                                  int jobs);

/// Everything that was found about these models of the request, in this workshop.
Report report_of(const Workshop& workshop, const CheckRequest& request, std::vector<ModelReport> models);

/// The folder keeps what an earlier run left there, for none of these models could be begun with.
bool keeps_earlier(const Report& report, const RunFolder& folder);

/// What to say where the user stopped the run.
Error nothing_kept();

}  // namespace culprit
