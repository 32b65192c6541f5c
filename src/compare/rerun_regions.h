#pragma once
// B's nodes on A's values: what they make of these is their own doing, and none of what came before.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "compare/compared_graphs.h"
#include "compare/labelled_tensors.h"

namespace culprit {

/// A value of B that is fed with A's tensors.
struct FedTensors {
  std::string name;
  std::vector<Tensor> by_sample;
};

class RegionRuns {
 public:
  RegionRuns(const ComparedGraphs& graphs, const CompareOptions& options, Executor& executor,
             std::filesystem::path folder)
      : graphs_(graphs), options_(options), executor_(executor), folder_(std::move(folder)) {}

  /// What B's nodes make of the values `wanted`, by sample and in their order, where `fed` and the inputs of `samples`
  /// (packs by A's names) are given. Nothing where they do not run by themselves.
  Result<std::optional<std::vector<std::vector<Tensor>>>> run(const std::vector<std::string>& wanted,
                                                              const std::vector<FedTensors>& fed,
                                                              const std::vector<std::filesystem::path>& samples);
  [[nodiscard]] std::int64_t runs() const { return runs_; }

 private:
  Result<std::vector<NamedTensor>> inputs_of(const std::vector<std::string>& names, const std::vector<FedTensors>& fed,
                                             const std::filesystem::path& sample, std::size_t number) const;

  const ComparedGraphs& graphs_;
  const CompareOptions& options_;
  Executor& executor_;
  std::filesystem::path folder_;
  std::int64_t runs_ = 0;
};

/// As B takes it; as it is where that is no number or the type is not known.
Result<Tensor> as_type(const Tensor& tensor, DType type);

}  // namespace culprit
