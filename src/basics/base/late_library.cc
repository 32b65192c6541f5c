#include "base/late_library.h"

#include <dlfcn.h>

#include <stdexcept>

#include "base/text.h"

namespace culprit {

LateLibrary::LateLibrary(std::initializer_list<const char*> names) : name_(*names.begin()) {
  for (const char* name : names) {
    handle_ = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle_ != nullptr) return;
    const char* reason = dlerror();
    if (why_.empty()) why_ = printable(reason == nullptr ? "unknown reason" : reason, 300);
  }
}

Result<void> LateLibrary::loaded() const {
  if (handle_ != nullptr) return {};
  return fail(ErrorKind::unsupported, std::string("the library ") + name_ + " cannot be loaded: " + why_,
              "scripts/setup packages brings it");
}

void* LateLibrary::symbol(const char* name) const {
  // A program that is linked with it, such as a test that writes files, has variables of it in its own memory.
  void* symbol = dlsym(RTLD_DEFAULT, name);
  if (symbol == nullptr && handle_ != nullptr) symbol = dlsym(handle_, name);
  if (symbol == nullptr) throw std::logic_error(std::string(name_) + " has no " + name);
  return symbol;
}

}  // namespace culprit
