#pragma once
// A TFLite model in LiteRT. Private to this room.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "runtime/runner.h"
#include "runtime/tflite/litert.h"

namespace culprit {

/// Errors: what it could not do.
inline Result<void> good(litert::Status status, const std::string& what) {
  if (status == 0) return {};
  return fail(status == 5 ? ErrorKind::unsupported : ErrorKind::bad_input,
              fmt::format("LiteRT (status {}): it could not {}", status, what));
}

/// Something of the library's that is ours to destroy.
class LiteRtOwned {
 public:
  explicit LiteRtOwned(void (*destroy)(litert::Handle)) : destroy_(destroy) {}
  LiteRtOwned(LiteRtOwned&& other) noexcept
      : handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  LiteRtOwned& operator=(LiteRtOwned&&) = delete;
  ~LiteRtOwned() {
    if (handle_ != nullptr) destroy_(handle_);
  }
  [[nodiscard]] litert::Handle get() const { return handle_; }
  litert::Handle* place() { return &handle_; }

 private:
  litert::Handle handle_ = nullptr;
  void (*destroy_)(litert::Handle);
};

/// Inputs may have other shapes than the file says. The library and its environment must outlive it.
Result<std::unique_ptr<RunnerSession>> open_tflite_session(const litert::LiteRtApi& api, litert::Handle environment,
                                                           std::string bytes, const SessionOptions& options);

}  // namespace culprit
