#pragma once
// `culprit diagnose` on a pair of files, and what it says against what is wrong in truth.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace culprit::testing {

/// One fault that was put into the target.
struct ConversionTruth {
  std::string kind;            ///< class, as the report calls it: "hyperparameter"
  std::string layer;           ///< of the source; "+ Sigmoid": the target has this operator more
  std::string attribute = "";  ///< of a hyper-parameter, where it is told
};

struct DiagnosedFiles {
  int exit = -1;
  std::string said;       ///< stdout and stderr
  nlohmann::json report;  ///< null where there is none
};

DiagnosedFiles diagnose_files(const std::filesystem::path& source, const std::filesystem::path& target);

/// Does a report follow this schema below docs/? What does not is written to stderr.
bool follows_schema(const std::filesystem::path& report, const std::string& schema = "diagnosis.schema.json");

/// "parameter Conv_4", "hyperparameter Conv_4.pads", "graph + Sigmoid"; "?" behind what is not confirmed.
std::vector<std::string> told_faults(const nlohmann::json& report);
std::vector<std::string> words_of(const std::vector<ConversionTruth>& truth);

/// How many of the faults in truth are told, each by one that is confirmed: its layer is the one that is named, or one
/// of its group.
struct NamedFaults {
  int layers = 0;   ///< where the layer is right
  int classes = 0;  ///< and the class and the hyper-parameter
  int beyond = 0;   ///< told faults that stand for none in truth
};
NamedFaults named_of(const nlohmann::json& report, const std::vector<ConversionTruth>& truth);

}  // namespace culprit::testing
