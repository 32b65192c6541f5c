#pragma once
// Tells where the samples of one or many models come from. With --data each model reads them in its own way: the
// picture at 224 pixels for one, at 299 for the other. Without it there is nothing that all of them could read, so all
// get the samples of the first model, be they made up or from the folders beside it. Pictures, sounds and texts are
// prepared for all models as for the first one, but for those with a file of their own that tells how, and those whose
// inputs do not fit that.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/data_set.h"
#include "data/sets/picture_source.h"
#include "executor/executor.h"
#include "model/model.h"

namespace culprit {

/// A model, and what messages call it.
struct FedModel {
  const Model& model;
  std::string name;
};

struct SamplesOfAll {
  /// Ways of feeding the models, the likeliest first; never empty.
  std::vector<SourcePtr> ways;
  /// The pictures of each model, in the first way; null for other data.
  std::vector<const PictureSource*> pictures;
  /// For each model why it cannot be fed, and so does not run; "": it can.
  std::vector<std::string> unfit;
  /// For each model: does it read the data just as the first one does, so that it gets the first one's inputs?
  std::vector<bool> fed_as_first;
  /// The names of classes that texts have; empty for other data.
  std::vector<std::string> classes;
  /// A line for each model that is fed otherwise than the first one.
  std::vector<std::string> about;
  /// For each model the inputs of its that stand for those of the first; empty where each reads the data itself.
  std::vector<std::vector<BoundInput>> bound;
};

/// Files that are needed as long as the samples are lie in `work`. Errors: those of open_data_set for the first model;
/// io and interrupted. What else is wrong for another model makes that one `unfit`.
Result<SamplesOfAll> open_samples_of_all(const std::vector<FedModel>& models, const DataSetOptions& options,
                                         const std::filesystem::path& work);

/// What model `model` is fed, of `models`, where a sample holds these inputs; empty: all by their own names.
std::vector<BoundInput> inputs_of(const SamplesOfAll& samples, std::size_t model, const std::vector<std::string>& fed,
                                  const Interface& interface);

}  // namespace culprit
