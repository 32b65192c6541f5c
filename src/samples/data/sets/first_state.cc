#include "data/sets/first_state.h"

#include "base/lower_case.h"
#include "base/text.h"

namespace culprit {

Result<Tensor> first_state(const ValueInfo& input) {
  constexpr std::int64_t largest = std::int64_t{1} << 28;  // elements
  Shape shape;
  for (const Dim& dim : input.dims) {
    const bool is_past = lower_case(dim.name).find("past") != std::string::npos;
    shape.push_back(dim.value.value_or(is_past ? 0 : 1));
  }
  const auto count = element_count(shape);
  if (!count || *count > largest)
    return fail(ErrorKind::bad_input, "state '" + printable(input.name) + "' is larger than any state");
  return cast(Tensor::of<float>(shape, std::vector<float>(static_cast<std::size_t>(*count))), input.dtype);
}

}  // namespace culprit
