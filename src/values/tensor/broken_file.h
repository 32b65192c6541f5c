#pragma once

#include <string>

#include "base/error.h"

namespace culprit {

/// ErrorKind::bad_input, with what is wrong with a user's file. The caller, who knows the file's name, adds it.
inline tl::unexpected<Error> broken(const std::string& what) { return fail(ErrorKind::bad_input, what); }

}  // namespace culprit
