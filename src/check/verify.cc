#include "check/verify.h"

namespace culprit {

Result<Showing> show_file(Study& study, Desk& desk, const Basis& basis, std::size_t attempt,
                          const std::filesystem::path& file) {
  Showing here{Showing::State::unclear, "it was not run"};  // at the reference's level
  Showing there{Showing::State::clean};                     // at the deploy level, if there is one
  const std::string deployed = study.deployment().judges() ? study.deployment().level() : "";
  study.verify(attempt, file, [&](const Judgement& judgement, const std::string& level) {
    const bool is_there = level == deployed;
    if (is_fault(judgement.verdict, basis.options.strict)) {
      (is_there ? there : here) = showing_of(judgement, is_there ? level : "");
    } else if (!is_there && judgement.verdict == Verdict::inconclusive) {
      here = {Showing::State::unclear, judgement.message};
    } else if (!is_there) {
      here = {Showing::State::clean};
    }
  });
  if (auto ok = desk.drain(); !ok) return tl::unexpected(ok.error());
  return here.state == Showing::State::clean ? there : here;
}

std::filesystem::path file_of(const Study& study, const Basis& basis, const Attempt& attempt) {
  if (attempt.same_as == "original") return basis.model.path;
  return attempt.same_as == "round_trip" ? study.round_trip().outcome.file : attempt.outcome.file;
}

}  // namespace culprit
