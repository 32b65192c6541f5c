#pragma once
// A comparator's program under way: asked sample by sample. Private to this room.

#include <optional>
#include <string>

#include "base/file.h"
#include "comparator/answer.h"
#include "comparator/comparator_program.h"
#include "process/line_program.h"

namespace culprit {

class Conversation {
 public:
  static Result<Conversation> start(const ComparatorProgram& program);
  /// Errors name the program.
  Result<ComparatorAnswer> ask(const SampleOutputs& sample);
  /// What it called itself in its first line; "" where it did not.
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  Conversation(const ComparatorProgram& program, TemporaryFolder folder, LineProgram lines)
      : what_("--comparator " + program.path.filename().string()),
        folder_(std::move(folder)),
        lines_(std::move(lines)) {}
  Result<std::string> answer_to(const std::string& question);
  [[nodiscard]] Error about(Error error) const;

  std::string what_, name_;
  bool is_first_ = true;
  TemporaryFolder folder_;  // outlives the program, which works in it
  LineProgram lines_;
};

}  // namespace culprit
