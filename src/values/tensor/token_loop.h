#pragma once
// Text that a model of language writes token by token: what it said is fed back. A sample of such a model has an input
// of tokens that begin, and parts of its values say how the others go on (as tensor/steps.h has it):
//
//   x.tokens=...       [1,P] what the text begins with; at later steps [1,1], the token that was said last. The model
//                      has a cache: its other inputs are states
//   x.all_tokens=...   the same, and at later steps all tokens so far: a model without a cache
//   x.more_ones        [1,P] and one 1 more at each step: a mask
//   x.next_number      [1,P]; at later steps [1,1], one more than the last number: positions beside x.tokens
//   x.more_numbers     [1,P] and one number more at each step: positions beside x.all_tokens
//   x.first_of=y       as it is at the first step; at all later ones what output y was at the first: a cache of what an
//                      encoder gave
//   x.then_true        as it is at the first step; true at later ones: whether a cache is there
//
// Where rows have a size of their own, they begin with `filled` tokens, and what more there is stands behind these.
//
// What comes out is what was said, the likeliest token of each step, and which others were likely.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tensor/steps.h"

namespace culprit {

struct TokenLoop {
  std::int64_t steps = 0;  ///< tokens that are said
  std::int64_t end = -1;   ///< after this one nothing is said any more; -1: there is none
  std::string scores;      ///< the output whose last row tells what comes next
  bool has_cache = false;
  std::int64_t filled = -1;  ///< tokens with which a row of a size of its own begins; -1: rows grow. Not with a cache
  std::int64_t shown = -1;   ///< what this step is fed with comes out, in the place of what is said; -1: of none
  bool operator==(const TokenLoop&) const = default;
};

inline constexpr std::string_view more_ones_part = ".more_ones", next_number_part = ".next_number",
                                  more_numbers_part = ".more_numbers", then_true_part = ".then_true";
std::string first_of_part(std::string_view output);
std::string token_part(const TokenLoop& loop);

/// Tokens of each step of which the scores are kept.
inline constexpr std::size_t kept_tokens = 16;

/// How the sample writes; nothing where it does not.
std::optional<TokenLoop> loop_of(std::span<const NamedTensor> inputs);
/// Does the sample write text?
bool has_tokens(std::span<const NamedTensor> inputs);

/// Is this what run_token_loop writes? It is that whatever outputs the model itself has, and in whatever order.
bool are_written_tokens(std::span<const NamedTensor> outputs);

/// The same sample, of which comes out what this step is fed with: plain values, by the names of the inputs.
std::vector<NamedTensor> shown_at(std::vector<NamedTensor> inputs, std::int64_t step);

/// Writes: `tokens` int64 [steps], `top_tokens` int64 [steps,16] and `top_scores` float32 [steps,16], the best first.
/// After the end all steps are as that of the end; after a NaN all tokens are -1. Errors: as of run_steps; unsupported
/// for scores that are no floats.
Result<std::vector<NamedTensor>> run_token_loop(const std::vector<NamedTensor>& inputs, const StepRun& run);

}  // namespace culprit
