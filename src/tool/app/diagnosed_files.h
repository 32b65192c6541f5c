#pragma once
// The files of a conversion in several steps, each opened once: any two of them can be held against each other on the
// same samples.

#include <cstddef>
#include <string>
#include <vector>

#include "app/diagnosed_side.h"
#include "conversion/diagnose.h"
#include "record/diagnosis.h"

namespace culprit {

class DiagnosedFiles {
 public:
  /// `files`: the source first. All must outlive it. Errors: usage, if one of --map names inputs or outputs of no two
  /// files.
  static Result<DiagnosedFiles> open(const std::vector<DiagnosedSide>& files, const CompareSamples& samples,
                                     const DiagnoseOptions& options, const CompareTools& tools);

  /// Of the files without their folders; whole paths where two have one name.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// As DiagnoseFiles (app/diagnose_chain.h) asks for it.
  Result<Diagnosis> diagnose(std::size_t before, std::size_t file, DiagnosisDepth depth);

 private:
  DiagnosedFiles(const std::vector<DiagnosedSide>& files, const DiagnoseOptions& options, const CompareTools& tools)
      : files_(&files), options_(options), tools_(tools), fed_(files.size()) {}

  [[nodiscard]] const Side& side(std::size_t file) const { return *(*files_)[file].side; }
  /// Those of --map that these two have.
  [[nodiscard]] std::vector<std::string> map_of(std::size_t before, std::size_t file) const;

  const std::vector<DiagnosedSide>* files_;
  DiagnoseOptions options_;
  CompareTools tools_;
  std::vector<std::string> names_;
  std::vector<CompareSamples> fed_;  // by file: what it is fed, by its names, and what it makes of it
  int pairs_ = 0;
};

}  // namespace culprit
