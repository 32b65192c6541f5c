#pragma once
// An optimize job in its worker: load, import once, scan the predicates, then a fork for every recipe that may do
// something.

#include "process/channel.h"
#include "worker/protocol.pb.h"
#include "worker/staying_program.h"
#include "worker/worker_main.h"

namespace culprit {

/// Sends Imported, then, if that went well, one Variant for every recipe, then `optimized`. As many forks run at once
/// as the parent's Share messages allow. Ends early, with no fork left, where the parent is gone.
/// `staying` lives as long as the worker.
void serve_optimize(const wire::OptimizeJob& wire_job, const WorkerSkills& skills, StayingProgram& staying,
                    Channel& parent);

}  // namespace culprit
