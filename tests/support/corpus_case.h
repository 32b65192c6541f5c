#pragma once
// A corpus case: a model in ONNX's text syntax behind directives in comments. docs: tests/corpus/README.md.

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit::testing {

struct CorpusCase {
  std::string name;                               ///< file name without its ending
  std::string room;                               ///< folder: "faults", "clean", ...
  std::string about;                              ///< `# case:`
  std::vector<std::string> each;                  ///< `# each:`
  std::vector<std::string> recipe;                ///< `# recipe:`
  std::vector<std::vector<NamedTensor>> samples;  ///< `# input:` lines, `# sample` between samples
  bool faulty = false;                            ///< `# expect: fault`
  std::string verdict, attribution;
  std::string deployed;  ///< `# deployed:`, the verdict at the deploy level
  std::vector<std::string> culprits, also, fires, warnings;
  std::vector<std::string> rewrites;  ///< `# rewrites: PASS NODE, ...`, in the order in which they are found
  std::vector<std::string> pieces;    ///< `# pieces: NODE, ...`
  std::string predicate;              ///< `# predicate: NODE`, that kills the optimizer
  std::vector<std::pair<std::string, int>> visits;  ///< `# visits: PASS N, ...`
  std::string timeout, memory;                      ///< limits, as the command line takes them
  std::string baseline, says;                       ///< of a bad baseline: its status and words of its message
  std::vector<std::string> host_leaves;  ///< `# host leaves: inputs, for ...`: what a host must not put behind nodes
  std::string host_leaves_for;           ///< the reason
  std::string levels;   ///< `# levels: 1.20.1 right, 1.31.1 wrong from basic`: what the runtime's own optimizations do
  std::string without;  ///< `# without: A or B`, or `A, B`: those that must be left out for it to be right
  std::string program;  ///< `# program: onnxsim 0.8.1`: that breaks it, and its version
  std::string model_text;
};

/// `tests/corpus/<room>/*.onnxtxt`, sorted; none where there is no such room.
std::vector<std::filesystem::path> corpus_files(const std::string& room);
/// Of the rooms in which every case is faulty: faults, interactions, deployed, embedded.
std::vector<std::filesystem::path> faulty_corpus_files();
/// "clean_where_of_not": room and name as the name of a test.
std::string test_name_of(const std::filesystem::path& file);

/// An unknown directive is an error: a misspelt one would otherwise test nothing.
Result<CorpusCase> read_corpus_case(const std::filesystem::path& path);

/// What `culprit check` is given of a case that was written into this folder, the model first.
std::vector<std::string> check_arguments(const CorpusCase& corpus_case, const std::filesystem::path& folder);

/// The model of a case; an error names the line.
Result<onnx::ModelProto> model_of(const CorpusCase& corpus_case);

/// Writes `<folder>/model.onnx` and, for stated inputs, `<folder>/data/test_data_set_N`.
Result<void> write_corpus_case(const CorpusCase& corpus_case, const std::filesystem::path& folder);

}  // namespace culprit::testing
