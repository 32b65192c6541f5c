#pragma once
// What `culprit reduce` leaves: a model and its data sets, replaced at every step.

#include <filesystem>
#include <memory>
#include <span>

#include "cli/optimized_file.h"
#include "reduce/reduced_case.h"

namespace culprit {

class ReducedFiles {
 public:
  /// Makes the last folder of `out` where it is missing; one that was made and stayed empty goes again.
  /// ErrorKind::usage as of OptimizedFile::beside, and where there are test_data_set_* folders beside `out` that do not
  /// belong to a model that was reduced before.
  static Result<ReducedFiles> at(const fs::path& out, const fs::path& model);

  /// The model, with a name that tells where it comes from, and then its data sets. Samples with values that are no
  /// tensors are left out: there are no files of them then.
  Result<void> put(const Case& a_case, std::span<const Inputs> outputs = {});
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  ///< of the model, as it was put last
  [[nodiscard]] bool has_data() const { return has_data_; }
  [[nodiscard]] bool has_outputs() const { return has_outputs_; }  ///< the reference's, beside the inputs

 private:
  struct RemoveEmpty {
    void operator()(const fs::path* folder) const;
  };
  using MadeFolder = std::unique_ptr<const fs::path, RemoveEmpty>;  ///< none where it was there before

  ReducedFiles(MadeFolder made, OptimizedFile file, fs::path folder)
      : made_(std::move(made)), file_(std::move(file)), folder_(std::move(folder)) {}

  MadeFolder made_;  ///< before `file_`, whose scratch lies in it
  OptimizedFile file_;
  fs::path folder_;  ///< of `out`
  std::uint64_t bytes_ = 0;
  bool has_data_ = false, has_outputs_ = false;
};

}  // namespace culprit
