#pragma once
// A corpus case: a model in ONNX's text syntax behind directives in comments. docs: tests/corpus/README.md.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit::testing {

struct CorpusCase {
  std::string name;                               ///< file name without its ending
  std::string about;                              ///< `# case:`
  std::vector<std::string> each;                  ///< `# each:`
  std::vector<std::string> recipe;                ///< `# recipe:`
  std::vector<std::vector<NamedTensor>> samples;  ///< `# input:` lines, `# sample` between samples
  bool faulty = false;                            ///< `# expect: fault`
  std::string verdict, attribution;
  std::string deployed;  ///< `# deployed:`, the verdict at the deploy level
  std::vector<std::string> culprits, also, fires, warnings;
  std::string model_text;
};

/// An unknown directive is an error: a misspelt one would otherwise test nothing.
Result<CorpusCase> read_corpus_case(const std::filesystem::path& path);

/// Writes `<folder>/model.onnx` and, for stated inputs, `<folder>/data/test_data_set_N`.
Result<void> write_corpus_case(const CorpusCase& corpus_case, const std::filesystem::path& folder);

}  // namespace culprit::testing
