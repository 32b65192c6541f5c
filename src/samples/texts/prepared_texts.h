#pragma once
// Texts as tokens, in one file of lines of JSON: the first line tells of all, then comes a line for each sample. It is
// made once (prepare_texts.h); who reads it needs no tokenizer, and no Python. Docs: docs/texts.md.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "task/sample_text.h"
#include "tensor/tensor.h"
#include "texts/text_files.h"

namespace culprit {

/// What the first line says.
struct PreparedFacts {
  std::string key;         ///< of what it was made: the same key, the same samples
  std::string from, kind;  ///< "test", "folder of texts"
  std::string tokenizer;   ///< tokenizer.json without what only encoding needs
  std::int64_t samples = 0;
  std::int64_t pad = 0;             ///< the token that fills rows
  std::int64_t end = -1;            ///< the token after which nothing is said; -1: none is known
  std::int64_t first = -1;          ///< the token that a decoder begins with; -1: that is `pad`
  std::int64_t max_length = 0;      ///< 0: none was told
  std::int64_t positions = 0;       ///< that the tokenizer's model has; 0: nobody says
  std::int64_t cut = 0;             ///< texts of which a part was cut off
  std::vector<std::string> labels;  ///< names of classes: 0, 1, ...
  std::string numbered = {};        ///< how these names got their numbers, for people; "": nobody says
  bool has_truth = false, are_questions = false, may_have_no_answer = false, have_targets = false;
  std::int64_t left_out = 0;
  std::vector<LeftOutText> listed;  ///< the first of them
  std::string encoder = {};         ///< file of the model that read the texts; "": none did
};

using TokenRows = std::vector<std::vector<std::int64_t>>;

struct PreparedSample {
  std::string name;
  TokenRows ids, mask, types;  ///< a row for each window; all have the same sizes
  std::string label;           ///< the number of a class, in a file also the name of one; "" where nobody knows
  std::optional<std::vector<std::string>> right;
  std::optional<SampleText> text;  ///< of a question
  std::vector<std::int64_t> target = {};
  std::optional<Tensor> encoded = {};  ///< floats [N,L,D]: what an encoder made of the rows, L at least as long as they
};

class PreparedTexts {
 public:
  /// Does the file begin as one of these does?
  static bool is_one(const std::filesystem::path& file);
  /// Reads the first line, and where all the others begin. Errors: bad_input (no such file, or not all of one).
  static Result<PreparedTexts> open(const std::filesystem::path& file);
  PreparedTexts(PreparedTexts&&) noexcept;
  PreparedTexts& operator=(PreparedTexts&&) noexcept;
  ~PreparedTexts();

  [[nodiscard]] const PreparedFacts& facts() const { return facts_; }
  [[nodiscard]] const std::filesystem::path& file() const { return file_; }
  /// ErrorKind::bad_input: the line makes no sense, and why.
  [[nodiscard]] Result<PreparedSample> at(std::int64_t number) const;

 private:
  struct Lines;
  PreparedTexts(std::filesystem::path file, PreparedFacts facts, std::unique_ptr<Lines> lines);
  std::filesystem::path file_;
  PreparedFacts facts_;
  std::unique_ptr<Lines> lines_;
};

/// The line of a sample, and the first line of a file.
std::string line_of(const PreparedSample& sample);
std::string line_of(const PreparedFacts& facts);

}  // namespace culprit
