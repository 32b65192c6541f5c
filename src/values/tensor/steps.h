#pragma once
// Samples of models that run step by step, and keep something from one step to the next: a voice detector that hears a
// sound in chunks, a model of language with a cache. A sample holds what all steps are fed with; parts of its values
// say how:
//
//   x            fed as it is, at each step
//   x.each_step  [steps, ...]: at each step the next one along the first axis
//   x.state=y    fed at the first step; at each later one x is what output y was
//
// What comes out is one set of outputs: those that were fed back as they were at the last step, the others with a first
// axis for the steps.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

inline constexpr std::string_view each_step_part = ".each_step";
std::string state_part(std::string_view output);
/// Is it a state?
bool is_state_input(const NamedTensor& input);
/// The output that an input is fed with at a later step. ErrorKind::bad_input: it is not among these.
Result<Tensor> output_for(const NamedTensor& input, std::string_view output, std::span<const NamedTensor> outputs);
/// The output that a state is fed with at the next step. Errors: as of output_for.
Result<Tensor> next_of_state(const NamedTensor& state, std::span<const NamedTensor> outputs);

/// Is this output fed back in such a sample?
bool is_fed_back(std::span<const NamedTensor> inputs, std::string_view output);
/// Those of these outputs that are; empty where the sample does not run in steps.
std::vector<std::string> fed_back_among(std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);

/// Does the sample run in steps?
bool has_steps(std::span<const NamedTensor> inputs);
/// How many there are. ErrorKind::bad_input: values for other numbers of steps, or for none.
Result<std::int64_t> step_count(std::span<const NamedTensor> inputs);
/// What belongs to one step of values that have a first axis for the steps, one that is there.
Result<Tensor> value_at_step(const Tensor& whole, std::int64_t step);

/// The same sample, of which comes out what this step is fed with: plain values, by the names of the inputs. Only the
/// steps before it are run. The part of an input says so: ".shown=3.each_step".
std::vector<NamedTensor> shown_at_step(std::vector<NamedTensor> inputs, std::int64_t step);

/// Runs once, on what one step is fed with.
using StepRun = std::function<Result<std::vector<NamedTensor>>(const std::vector<NamedTensor>&)>;

/// Runs all steps of a sample, or those before the one that is shown. Errors: as of step_count; bad_input: no output of
/// the name that a state is fed with, no such step to be shown; unsupported: an output that is not fed back has another
/// size at another step.
Result<std::vector<NamedTensor>> run_steps(const std::vector<NamedTensor>& inputs, const StepRun& run);

}  // namespace culprit
