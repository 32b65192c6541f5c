#pragma once
// One logger, to stderr, made once by `cli` and passed on by spdlog's default registry. Rooms log rarely: what a user
// should see goes into results.

#include <spdlog/spdlog.h>

namespace culprit {

enum class Verbosity { quiet, normal, verbose };
void set_up_logging(Verbosity verbosity);

}  // namespace culprit
