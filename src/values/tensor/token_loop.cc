#include "tensor/token_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include "base/text.h"
#include "tensor/best_tokens.h"

namespace culprit {
namespace {

constexpr std::string_view with_cache = ".tokens=", without_cache = ".all_tokens=", first_of_begin = ".first_of=";
constexpr std::int64_t most_steps = 1 << 16, most_filled = std::int64_t{1} << 31;
const std::array<std::string, 3> written_names{"tokens", "top_tokens", "top_scores"};

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// "32:0:-1:-1:logits".
std::optional<TokenLoop> loop_in(std::string_view part) {
  TokenLoop loop;
  loop.has_cache = part.starts_with(with_cache);
  if (!loop.has_cache && !part.starts_with(without_cache)) return std::nullopt;
  part.remove_prefix(part.find('=') + 1);
  for (std::int64_t* number : {&loop.steps, &loop.end, &loop.filled, &loop.shown}) {
    const std::size_t colon = part.find(':');
    const auto read = colon == part.npos ? std::nullopt : number_in(part.substr(0, colon));
    if (!read) return std::nullopt;
    *number = *read;
    part.remove_prefix(colon + 1);
  }
  if (loop.steps < 1 || loop.steps > most_steps) return std::nullopt;
  if (loop.filled < -1 || loop.filled == 0 || loop.filled > most_filled) return std::nullopt;
  loop.scores = std::string(part);
  return loop;
}

/// A row [1,P] of any integers or floats gets one number more, behind its end or at its place.
Result<Tensor> with_one_more(const Tensor& row, double number, std::optional<std::int64_t> place) {
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(row.count() + 1));
  for (std::int64_t i = 0; i < row.count(); ++i) all.push_back(row.number(i));
  if (place && *place >= row.count())
    return fail(ErrorKind::bad_input, fmt::format("the model reads {} tokens, and there are more", row.count()));
  if (!place) all.push_back(0);
  all[static_cast<std::size_t>(place.value_or(row.count()))] = number;
  const auto size = std::ssize(all);
  return cast(Tensor::of<double>({1, size}, all), row.dtype());
}

Result<Tensor> alone(double number, DType type) { return cast(Tensor::of<double>({1, 1}, {number}), type); }

/// All elements are this number.
Result<Tensor> constant(const Shape& shape, double number, DType type) {
  const std::vector<double> all(static_cast<std::size_t>(element_count(shape).value_or(0)), number);
  return cast(Tensor::of<double>(shape, all), type);
}

/// -1 before the first place; without a place that at the end.
double number_before(const Tensor& row, std::optional<std::int64_t> place) {
  const std::int64_t end = std::min(place.value_or(row.count()), row.count());
  return end > 0 ? row.number(end - 1) : -1;
}

class Writing {
 public:
  Writing(std::vector<NamedTensor> inputs, TokenLoop loop, const StepRun& run)
      : inputs_(std::move(inputs)), loop_(std::move(loop)), run_(run) {}

  Result<std::vector<NamedTensor>> run() {
    for (std::int64_t step = 0; step < loop_.steps; ++step) {
      if (step == loop_.shown) return fed();
      auto said = run_step(step);
      if (!said) return tl::unexpected(said.error());
      keep(*said);
      const std::int64_t token = said->front().token;
      if (token < 0 || token == loop_.end) {
        while (++step < loop_.steps) keep(*said);
        break;
      }
      if (step + 1 < loop_.steps)
        if (auto ok = go_on(token, step); !ok) return tl::unexpected(ok.error());
    }
    const auto width = static_cast<std::int64_t>(kept_tokens);
    return std::vector<NamedTensor>{{written_names[0], Tensor::of<std::int64_t>({loop_.steps}, tokens_)},
                                    {written_names[1], Tensor::of<std::int64_t>({loop_.steps, width}, top_tokens_)},
                                    {written_names[2], Tensor::of<float>({loop_.steps, width}, top_scores_)}};
  }

 private:
  [[nodiscard]] std::vector<NamedTensor> fed() const {
    std::vector<NamedTensor> fed;
    for (const NamedTensor& input : inputs_) fed.push_back({input.name, input.value});
    return fed;
  }

  Result<std::vector<ScoredToken>> run_step(std::int64_t step) {
    auto outputs = run_(fed());
    if (!outputs) return tl::unexpected(outputs.error());
    outputs_ = std::move(*outputs);
    const Tensor* scores = find_value(outputs_, loop_.scores);
    if (scores == nullptr)
      return fail(ErrorKind::bad_input, "there is no output '" + printable(loop_.scores) + "' with scores of tokens");
    return best_tokens(*scores, kept_tokens, loop_.filled < 0 ? -1 : loop_.filled - 1 + step);
  }

  void keep(const std::vector<ScoredToken>& said) {
    tokens_.push_back(said.front().token);
    for (const ScoredToken& one : said) {
      top_tokens_.push_back(one.token);
      top_scores_.push_back(one.score);
    }
  }

  /// What the next step is fed with.
  Result<void> go_on(std::int64_t token, std::int64_t step) {
    const auto place = loop_.filled < 0 ? std::nullopt : std::optional(loop_.filled + step);
    for (NamedTensor& input : inputs_) {
      if (input.part.starts_with(first_of_begin) && step > 0) continue;
      auto next = next_of(input, static_cast<double>(token), place);
      if (!next) return tl::unexpected(next.error());
      input.value = std::move(*next);
    }
    return {};
  }

  /// `place`: of what is new in a row of a size of its own.
  [[nodiscard]] Result<Tensor> next_of(const NamedTensor& input, double token,
                                       std::optional<std::int64_t> place) const {
    const Tensor& value = input.value;
    if (input.part.starts_with(with_cache)) return alone(token, value.dtype());
    if (input.part.starts_with(without_cache)) return with_one_more(value, token, place);
    if (input.part == more_ones_part) return with_one_more(value, 1, place);
    if (input.part == next_number_part) return alone(number_before(value, std::nullopt) + 1, value.dtype());
    if (input.part == more_numbers_part) return with_one_more(value, number_before(value, place) + 1, place);
    if (input.part == then_true_part) return constant(value.shape(), 1, value.dtype());
    if (input.part.starts_with(first_of_begin))
      return output_for(input, input.part.substr(first_of_begin.size()), outputs_);
    return is_state_input(input) ? next_of_state(input, outputs_) : Result<Tensor>(value);
  }

  std::vector<NamedTensor> inputs_;
  TokenLoop loop_;
  const StepRun& run_;
  std::vector<NamedTensor> outputs_;
  std::vector<std::int64_t> tokens_, top_tokens_;
  std::vector<float> top_scores_;
};

}  // namespace

std::string token_part(const TokenLoop& loop) {
  return fmt::format("{}{}:{}:{}:{}:{}", loop.has_cache ? with_cache : without_cache, loop.steps, loop.end, loop.filled,
                     loop.shown, loop.scores);
}

std::string first_of_part(std::string_view output) { return std::string(first_of_begin) + std::string(output); }

std::optional<TokenLoop> loop_of(std::span<const NamedTensor> inputs) {
  for (const NamedTensor& input : inputs)
    if (auto loop = loop_in(input.part)) return loop;
  return std::nullopt;
}

bool has_tokens(std::span<const NamedTensor> inputs) { return loop_of(inputs).has_value(); }

std::vector<NamedTensor> shown_at(std::vector<NamedTensor> inputs, std::int64_t step) {
  for (NamedTensor& input : inputs) {
    auto loop = loop_in(input.part);
    if (!loop) continue;
    loop->shown = step;
    input.part = token_part(*loop);
  }
  return inputs;
}

bool are_written_tokens(std::span<const NamedTensor> outputs) {
  return std::ranges::equal(outputs, written_names, {}, &NamedTensor::name);
}

Result<std::vector<NamedTensor>> run_token_loop(const std::vector<NamedTensor>& inputs, const StepRun& run) {
  if (auto loop = loop_of(inputs)) return Writing(inputs, std::move(*loop), run).run();
  return fail(ErrorKind::bad_input, "the sample has no tokens that a text could begin with");
}

}  // namespace culprit
