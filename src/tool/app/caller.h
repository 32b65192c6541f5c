#pragma once
// Who asks for something: who works for it, who hears of it, and since when.

#include "app/listener.h"
#include "app/workers.h"
#include "base/stop.h"
#include "base/stopwatch.h"
#include "process/interrupt.h"

namespace culprit {

/// Everything that a request needs from outside. Workers and listener outlive the answer.
struct Caller {
  Workers& workers;
  Listener& listener;
  Stopwatch watch = {};                       ///< budgets and the seconds of reports count from here
  Stop is_interrupted = interrupt_requested;  ///< executors of processes look at `interrupt_requested` by themselves
};

}  // namespace culprit
