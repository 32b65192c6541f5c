#pragma once
// Many flags read in a row: what was not typed leaves the default, and the first error is kept.

#include <string>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace culprit {

class FlagReader {
 public:
  /// `value` becomes that of `target`, unless it is an error.
  template <class Target, class Value>
  void set(Target& target, Result<Value> value) {
    if (value)
      target = static_cast<Target>(std::move(*value));
    else if (!failed_)
      keep(std::move(value.error()));
  }
  /// Sets `target` to what `parse` makes of the text of a flag, if the flag was typed.
  template <class Target, class Parse, class... More>
  void read(Target& target, Parse parse, const std::string& flag, const std::string& text, More... more) {
    if (!text.empty()) set(target, parse(flag, text, more...));
  }
  /// The first error, if there was one.
  [[nodiscard]] Result<void> ended() const {
    if (failed_) return tl::unexpected(error_);
    return {};
  }
  /// What was read, or the first error.
  template <class Request>
  [[nodiscard]] Result<std::remove_cvref_t<Request>> result(Request&& request) const {
    if (failed_) return tl::unexpected(error_);
    return std::forward<Request>(request);
  }

 private:
  void keep(Error error) {
    error_ = std::move(error);
    failed_ = true;
  }

  Error error_;
  bool failed_ = false;
};

}  // namespace culprit
