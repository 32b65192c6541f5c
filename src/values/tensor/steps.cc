#include "tensor/steps.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::string_view state_begin = ".state=", shown_begin = ".shown=";

bool is_each_step(const NamedTensor& value) { return value.part == each_step_part; }

/// Takes ".shown=3" from the beginning of a part; nothing where it does not begin so.
std::optional<std::int64_t> take_shown(std::string& part) {
  if (!part.starts_with(shown_begin)) return std::nullopt;
  std::int64_t step = 0;
  const char* const number = part.data() + shown_begin.size();
  const auto read = std::from_chars(number, part.data() + part.size(), step);
  part.erase(0, static_cast<std::size_t>(read.ptr - part.data()));
  return step;
}

/// Outputs of all steps, one after the other.
struct Stack {
  Tensor first;
  std::vector<std::byte> bytes;
  std::vector<std::string> strings;

  void add(const Tensor& value) {
    if (value.dtype() == DType::string)
      strings.insert(strings.end(), value.strings().begin(), value.strings().end());
    else
      bytes.insert(bytes.end(), value.bytes().begin(), value.bytes().end());
  }

  [[nodiscard]] Result<Tensor> whole(std::int64_t steps) && {
    Shape shape = first.shape();
    shape.insert(shape.begin(), steps);
    if (first.dtype() == DType::string) return Tensor::from_strings(std::move(shape), std::move(strings));
    return Tensor::from_bytes(first.dtype(), std::move(shape), std::move(bytes));
  }
};

class StepLoop {
 public:
  StepLoop(std::vector<NamedTensor> inputs, const StepRun& run) : inputs_(std::move(inputs)), run_(run) {
    for (NamedTensor& input : inputs_) {
      if (const auto step = take_shown(input.part)) shown_ = step;
      if (is_state_input(input)) states_.insert_or_assign(input.name, input.value);
    }
  }

  Result<std::vector<NamedTensor>> run() {
    const auto steps = step_count(inputs_);
    if (!steps) return tl::unexpected(steps.error());
    if (shown_ && (*shown_ < 0 || *shown_ >= *steps))
      return fail(ErrorKind::bad_input, "there is no step " + std::to_string(*shown_) + " to be shown, but " +
                                            std::to_string(*steps) + " from 0 on");
    for (std::int64_t step = 0; step < *steps; ++step) {
      if (step == shown_) return fed(step);
      if (auto ok = run_step(step); !ok) return tl::unexpected(ok.error());
    }
    for (NamedTensor& output : last_) {
      const auto stack = stacks_.find({output.name, output.part});
      if (stack == stacks_.end()) continue;
      auto whole = std::move(stack->second).whole(*steps);
      if (!whole) return tl::unexpected(whole.error());
      output.value = std::move(*whole);
    }
    return std::move(last_);
  }

 private:
  [[nodiscard]] Result<std::vector<NamedTensor>> fed(std::int64_t step) const {
    std::vector<NamedTensor> fed;
    for (const NamedTensor& input : inputs_) {
      auto value = is_state_input(input) ? Result<Tensor>(states_.at(input.name))
                   : is_each_step(input) ? value_at_step(input.value, step)
                                         : Result<Tensor>(input.value);
      if (!value) return tl::unexpected(value.error());
      const bool is_whole = !is_state_input(input) && !is_each_step(input);
      fed.push_back({input.name, std::move(*value), is_whole ? input.part : ""});
    }
    return fed;
  }

  Result<void> run_step(std::int64_t step) {
    const auto inputs = fed(step);
    if (!inputs) return tl::unexpected(inputs.error());
    auto outputs = run_(*inputs);
    if (!outputs) return tl::unexpected(outputs.error());
    last_ = std::move(*outputs);
    if (auto ok = feed_back(); !ok) return ok;
    return stack(step == 0);
  }

  Result<void> feed_back() {
    for (const NamedTensor& input : inputs_) {
      if (!is_state_input(input)) continue;
      auto next = next_of_state(input, last_);
      if (!next) return tl::unexpected(next.error());
      states_.insert_or_assign(input.name, std::move(*next));
    }
    return {};
  }

  Result<void> stack(bool is_first) {
    for (const NamedTensor& output : last_) {
      if (is_fed_back(inputs_, output.name)) continue;
      Stack& stack = stacks_[{output.name, output.part}];
      if (is_first) stack.first = output.value;
      if (stack.first.shape() != output.value.shape() || stack.first.dtype() != output.value.dtype())
        return fail(ErrorKind::unsupported,
                    "output '" + printable(output.name) + "' has another size at a later step, and is not fed back");
      stack.add(output.value);
    }
    return {};
  }

  std::vector<NamedTensor> inputs_;
  const StepRun& run_;
  std::optional<std::int64_t> shown_;
  std::map<std::string, Tensor> states_;                         // by input
  std::map<std::pair<std::string, std::string>, Stack> stacks_;  // by name and part of the output
  std::vector<NamedTensor> last_;
};

}  // namespace

std::string state_part(std::string_view output) { return std::string(state_begin) + std::string(output); }

bool is_state_input(const NamedTensor& input) { return input.part.starts_with(state_begin); }

Result<Tensor> output_for(const NamedTensor& input, std::string_view output, std::span<const NamedTensor> outputs) {
  if (const Tensor* value = find_value(outputs, output)) return *value;
  return fail(ErrorKind::bad_input, "input '" + printable(input.name) + "' is to be fed with output '" +
                                        printable(output) + "', and there is none");
}

Result<Tensor> next_of_state(const NamedTensor& state, std::span<const NamedTensor> outputs) {
  return output_for(state, std::string_view(state.part).substr(state_begin.size()), outputs);
}

bool is_fed_back(std::span<const NamedTensor> inputs, std::string_view output) {
  return std::ranges::any_of(
      inputs, [&](const NamedTensor& input) { return is_state_input(input) && input.part == state_part(output); });
}

std::vector<std::string> fed_back_among(std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs) {
  std::vector<std::string> fed_back;
  for (const NamedTensor& output : outputs)
    if (is_fed_back(inputs, output.name)) fed_back.push_back(output.name);
  return fed_back;
}

bool has_steps(std::span<const NamedTensor> inputs) {
  return std::ranges::any_of(inputs, [](const NamedTensor& input) {
    return is_each_step(input) || is_state_input(input) || input.part.starts_with(shown_begin);
  });
}

Result<std::int64_t> step_count(std::span<const NamedTensor> inputs) {
  std::optional<std::int64_t> steps;
  for (const NamedTensor& input : inputs) {
    if (!is_each_step(input)) continue;
    const Shape& shape = input.value.shape();
    const std::int64_t own = shape.empty() ? 0 : shape.front();
    if (own < 1 || (steps && *steps != own))
      return fail(ErrorKind::bad_input, "input '" + printable(input.name) + "' has values for " + std::to_string(own) +
                                            " steps" +
                                            (steps ? ", and another input for " + std::to_string(*steps) : ""));
    steps = own;
  }
  return steps.value_or(1);
}

Result<Tensor> value_at_step(const Tensor& whole, std::int64_t step) {
  const Shape shape(whole.shape().begin() + 1, whole.shape().end());
  const auto steps = static_cast<std::size_t>(whole.shape().front());
  const auto at = static_cast<std::size_t>(step);
  if (whole.dtype() == DType::string) {
    const std::size_t each = whole.strings().size() / steps;
    const auto slice = whole.strings().subspan(at * each, each);
    return Tensor::from_strings(shape, {slice.begin(), slice.end()});
  }
  const std::size_t each = whole.bytes().size() / steps;
  const auto slice = whole.bytes().subspan(at * each, each);
  return Tensor::from_bytes(whole.dtype(), shape, {slice.begin(), slice.end()});
}

std::vector<NamedTensor> shown_at_step(std::vector<NamedTensor> inputs, std::int64_t step) {
  const auto in_steps = [](const NamedTensor& input) { return is_each_step(input) || is_state_input(input); };
  const auto first = std::ranges::find_if(inputs, in_steps);
  if (first != inputs.end()) first->part.insert(0, std::string(shown_begin) + std::to_string(step));
  return inputs;
}

Result<std::vector<NamedTensor>> run_steps(const std::vector<NamedTensor>& inputs, const StepRun& run) {
  return StepLoop(inputs, run).run();
}

}  // namespace culprit
