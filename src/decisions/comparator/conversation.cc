#include "comparator/conversation.h"

#include "base/folder.h"
#include "base/text.h"
#include "comparator/question.h"

namespace culprit {

Result<Conversation> Conversation::start(const ComparatorProgram& program) {
  auto folder = TemporaryFolder::create(program.scratch, "comparator-");
  if (!folder) return tl::unexpected(folder.error());
  ProgramCall call{{program.path.string()}, folder->path() / "work"};
  call.may_use_network = true;  // the user started it, as if by hand
  if (auto ok = make_folder(call.folder); !ok) return tl::unexpected(ok.error());
  auto lines = LineProgram::start(std::move(call), {program.scratch, program.each_answer, program.stop});
  if (!lines) return tl::unexpected(lines.error());
  return Conversation(program, std::move(*folder), std::move(*lines));
}

Result<ComparatorAnswer> Conversation::ask(const SampleOutputs& sample) {
  const auto question = question_of(sample, folder_.path());
  if (!question) return tl::unexpected(question.error());
  const auto line = answer_to(*question);
  if (!line) return tl::unexpected(about(line.error()));
  auto answer = parse_answer(*line, sample.number);
  if (!answer) return tl::unexpected(about(answer.error()));
  return answer;
}

Result<std::string> Conversation::answer_to(const std::string& question) {
  auto line = lines_.ask(question);
  if (!line || !std::exchange(is_first_, false)) return line;
  const auto hello = parse_hello(*line);
  if (!hello) return tl::unexpected(hello.error());
  if (!*hello) return line;
  name_ = **hello;
  return lines_.next_line();
}

Error Conversation::about(Error error) const {
  error.message = printable(what_, 200) + ": " + error.message;
  return error;
}

}  // namespace culprit
