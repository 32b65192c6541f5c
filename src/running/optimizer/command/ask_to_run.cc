#include "optimizer/command/ask_to_run.h"

#include <sys/wait.h>
#include <unistd.h>

#include <charconv>
#include <nlohmann/json.hpp>

namespace culprit {

std::optional<int> ask_to_run(const LineProgram& staying, const ProgramCall& call) {
  const nlohmann::json question{{"words", call.words},
                                {"folder", call.folder.string()},
                                {"log", "/proc/" + std::to_string(::getpid()) + "/fd/2"}};
  const auto answer =
      staying.ask_from_fork(question.dump(-1, ' ', /*ensure_ascii=*/true, nlohmann::json::error_handler_t::replace));
  if (!answer) return std::nullopt;
  int end = 0;
  const auto [rest, wrong] = std::from_chars(answer->data(), answer->data() + answer->size(), end);
  if (wrong != std::errc() || rest != answer->data() + answer->size() || end > 255 || end <= -_NSIG)
    return std::nullopt;
  return end < 0 ? W_EXITCODE(0, -end) : W_EXITCODE(end, 0);
}

}  // namespace culprit
