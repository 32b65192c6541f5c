#include "worker/staying_program.h"

namespace culprit {

LineProgram* StayingProgram::of(const OptimizeJob& job, const std::filesystem::path& scratch) {
  if (program_ && (program_->is_over() || words_ != job.staying_program)) drop();
  if (job.staying_program.empty() || job.fresh_process) return nullptr;
  if (!program_) {
    const ProgramCall call{job.staying_program, scratch, {}, job.may_use_network};
    auto started = LineProgram::start(call, {scratch, job.limits});
    if (!started) return nullptr;
    program_.emplace(std::move(*started));
    words_ = job.staying_program;
  }
  return &*program_;
}

}  // namespace culprit
