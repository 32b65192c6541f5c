#pragma once
// What a file of YAML says, or why nothing can be read there. Who includes this links yaml-cpp.

#include <string>
#include <type_traits>

#include "base/error.h"
#include "base/text.h"
#include "base/yaml_fields.h"

namespace culprit {

template <typename Value>
struct AsResult {
  using type = Result<Value>;
};
template <typename Value>
struct AsResult<Result<Value>> {
  using type = Result<Value>;
};

/// What `read` returns: a value, or a Result. It may throw YamlFault and what yaml-cpp throws: then it is
/// ErrorKind::bad_input, "`where`: line 3: there is no key ...", with the hint.
template <typename Read>
typename AsResult<std::invoke_result_t<const Read&>>::type read_yaml(const std::string& where, const char* hint,
                                                                     const Read& read) {
  try {
    return read();
  } catch (const YamlFault& fault) {
    return fail(ErrorKind::bad_input, where + ": " + fault.what(), hint);
  } catch (const YAML::Exception& exception) {
    return fail(ErrorKind::bad_input, where + ": no YAML that makes sense: " + printable(exception.what(), 300), hint);
  }
}

}  // namespace culprit
