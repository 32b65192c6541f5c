#pragma once

#include <string>

#include "base/error.h"

namespace culprit {

/// ErrorKind::bad_input: what is wrong with a file that somebody gave. Whoever knows its name adds it.
inline tl::unexpected<Error> broken(const std::string& what) { return fail(ErrorKind::bad_input, what); }

}  // namespace culprit
