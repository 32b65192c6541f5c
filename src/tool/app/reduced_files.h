#pragma once
// What `culprit reduce` leaves: a model and its data sets, replaced at every step.

#include <filesystem>
#include <memory>
#include <span>

#include "app/optimized_file.h"
#include "reduce/reduced_case.h"

namespace culprit {

class ReducedFiles {
 public:
  /// Makes the last folder of `out` where it is missing; one that was made and stayed empty goes again.
  /// ErrorKind::usage as of OptimizedFile::beside, and where data of somebody else are where its data would go.
  static Result<ReducedFiles> at(const fs::path& out, const fs::path& model);

  /// The model, with a name that tells where it comes from, and then its data sets. Samples with values that are no
  /// tensors are left out: there are no files of them then.
  Result<void> put(const Case& a_case, std::span<const Inputs> outputs = {});
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }  ///< of the model, as it was put last
  /// Holds test_data_set_0: the folder of `out` where no other model lies there, else one named by it
  /// (data/sample_folders.h), which `culprit check` finds as well.
  [[nodiscard]] const fs::path& data_folder() const { return data_folder_; }
  [[nodiscard]] bool has_data() const { return has_data_; }
  [[nodiscard]] bool has_outputs() const { return has_outputs_; }  ///< the reference's, beside the inputs

 private:
  struct RemoveEmpty {
    void operator()(const fs::path* folder) const;
  };
  using MadeFolder = std::unique_ptr<const fs::path, RemoveEmpty>;  ///< none where it was there before

  ReducedFiles(MadeFolder made, OptimizedFile file, fs::path data_folder)
      : made_(std::move(made)), file_(std::move(file)), data_folder_(std::move(data_folder)) {}

  MadeFolder made_;  ///< before `file_`, whose scratch lies in it
  OptimizedFile file_;
  fs::path data_folder_;
  std::uint64_t bytes_ = 0;
  bool has_data_ = false, has_outputs_ = false;
};

}  // namespace culprit
