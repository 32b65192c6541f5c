#pragma once
// The control `repeat`: the reference again, in a fresh process whose memory holds other bytes where nobody wrote, must
// give the same bits, and not by chance.

#include <functional>
#include <optional>

#include "executor/dispatcher.h"
#include "record/variant_record.h"
#include "trial/reference.h"

namespace culprit {

struct RepeatResult {
  ControlRecord record;
  bool repeats = false;
};

using OnRepeat = std::function<void(Result<RepeatResult>)>;

/// Asks for the run; `then` is called when it is judged. At most 8 samples are repeated. Where both
/// runs agree but an output is made of random numbers without a seed, the model does not repeat all the same.
/// ErrorKind::io where the machine failed: that says nothing about the model.
void run_repeat_control(Dispatcher& dispatcher, const Reference& reference, OnRepeat then);

}  // namespace culprit
