#pragma once
// Branches that samples take, in the place of their Ifs: so that what is inside can be compared as all else.

#include <cstddef>
#include <vector>

#include "base/error.h"
#include "compare/editable_model.h"
#include "executor/executor.h"
#include "record/warning.h"

namespace culprit {

/// How a model runs, and what is to be opened of it. The job's folder exists; its samples are filled in.
struct OpenedModel {
  EditableModel& model;
  RunJob job;
};

struct TakenBranches {
  int of_a = 0, of_b = 0;            ///< Ifs that are gone
  bool others_differ = false;        ///< the branches that are not taken are written otherwise in B
  std::vector<std::size_t> samples;  ///< those that take the same branches as the first
  [[nodiscard]] int count() const { return of_a + of_b; }
};

/// Puts the branch that the first sample takes in the place of each If of the main graph, and then of those that come
/// to light, as the conditions of a run tell. `samples`: places among the samples of both jobs. A model that cannot be
/// run so stays as it is from there. Errors: interrupted, io.
Result<TakenBranches> take_branches_of_both(OpenedModel a, OpenedModel b, const std::vector<std::size_t>& samples,
                                            Executor& executor);

/// Says that branches which are not taken differ, and that no run has shown what they do.
Warning other_branches_warning(const TakenBranches& taken);

/// "in the place of 1 If of A and 1 of B stand the branches that sample 1 takes"
Warning branches_warning(const TakenBranches& taken);

}  // namespace culprit
