#pragma once
// A shared library that is loaded when it is first used. Linked, it would be loaded into every process of the tool,
// together with all that it wants itself: libcurl and libarchive want forty others, and a worker is started for each
// run of a model.

#include <initializer_list>
#include <string>

#include "base/error.h"

namespace culprit {

class LateLibrary {
 public:
  /// Loads the first of `names` that is there ("libcurl.so.4"). It stays loaded for the rest of the process.
  explicit LateLibrary(std::initializer_list<const char*> names);

  /// ErrorKind::unsupported where none of them is there.
  [[nodiscard]] Result<void> loaded() const;
  /// The address of a function or variable of it. Only where it is loaded; std::logic_error for one that it lacks.
  [[nodiscard]] void* symbol(const char* name) const;

 private:
  const char* name_;
  void* handle_ = nullptr;
  std::string why_;
};

}  // namespace culprit

// Headers make macros of some names, so what is looked up is the name that the macro stands for.
#define LATE_FUNCTION_TEXT(name) #name
/// The function `name` of a header, at the address that `symbol_of` gives for its name.
#define LATE_FUNCTION(symbol_of, name) (*reinterpret_cast<decltype(&::name)>(symbol_of(LATE_FUNCTION_TEXT(name))))
