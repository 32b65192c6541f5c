#pragma once
// Nodes of one of the models on A's values: what they make of these is their own doing, and none of what came before.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "compare/compared_graphs.h"
#include "compare/labelled_tensors.h"

namespace culprit {

/// A value that is fed with A's tensors.
struct FedTensors {
  std::string name;
  std::vector<Tensor> by_sample;
};

/// A run of regions that is ready to be asked for.
struct RegionJob {
  RunJob job;
  std::vector<std::string> outputs;  ///< what each wanted value is called there
  onnx::ModelProto model;
};

class RegionRuns {
 public:
  /// `inputs`: which input of `model` stands for which of A. Files lie in `folder`/`name`.
  RegionRuns(const EditableModel& model, std::vector<BoundInput> inputs, const CompareOptions& options,
             Executor& executor, const std::filesystem::path& folder, std::string name)
      : model_(model),
        inputs_(std::move(inputs)),
        options_(options),
        executor_(executor),
        folder_(folder / name),
        name_(std::move(name)) {}

  /// Nothing where the model cannot be cut so.
  Result<std::optional<RegionJob>> job(const std::vector<std::string>& wanted, const std::vector<FedTensors>& fed,
                                       const std::vector<std::filesystem::path>& samples);
  /// What its nodes make of the values `wanted`, by sample and in their order, where `fed` and the inputs of `samples`
  /// (packs by A's names) are given. Nothing where they do not run by themselves.
  Result<std::optional<std::vector<std::vector<Tensor>>>> run(const std::vector<std::string>& wanted,
                                                              const std::vector<FedTensors>& fed,
                                                              const std::vector<std::filesystem::path>& samples);
  /// Of a job that ran. Nothing where an output is missing.
  static std::optional<std::vector<std::vector<Tensor>>> made_by(const RegionJob& job, const Packs& packs);
  [[nodiscard]] std::int64_t runs() const { return runs_; }

 private:
  Result<std::vector<NamedTensor>> inputs_of(const std::vector<std::string>& names, const std::vector<FedTensors>& fed,
                                             const std::filesystem::path& sample, std::size_t number) const;

  const EditableModel& model_;
  std::vector<BoundInput> inputs_;
  const CompareOptions& options_;
  Executor& executor_;
  std::filesystem::path folder_;
  std::string name_;
  std::int64_t runs_ = 0;
};

/// As B takes it; as it is where that is no number or the type is not known.
Result<Tensor> as_type(const Tensor& tensor, DType type);

}  // namespace culprit
