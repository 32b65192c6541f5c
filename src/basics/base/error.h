#pragma once
// What went wrong, said so that a tired engineer knows what to do next, and Result<T> for everything that can fail.

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace culprit {

enum class ErrorKind {
  bad_input,    ///< a file or value from outside is not what it claims to be
  not_found,    ///< a named file, pass or library is not there
  unsupported,  ///< right, but beyond what this version can do
  no_kernel,    ///< a runtime knows the operator, and by its own error code cannot compute this form of it
  usage,        ///< the command line or a configuration is wrong
  io,           ///< the system refused a read or a write
  interrupted,  ///< the user asked to stop
  internal,     ///< our own mistake
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;  ///< what was found, and where; no full stop at the end
  std::string hint;     ///< what to do; may be empty

  /// "message. hint", on one line, ready for stderr.
  [[nodiscard]] std::string text() const;
};

template <class T>
using Result = tl::expected<T, Error>;

/// `return fail(ErrorKind::io, "cannot read x.onnx: permission denied", "check its permissions");`
[[nodiscard]] inline tl::unexpected<Error> fail(ErrorKind kind, std::string message, std::string hint = {}) {
  return tl::unexpected<Error>(Error{kind, std::move(message), std::move(hint)});
}

}  // namespace culprit
