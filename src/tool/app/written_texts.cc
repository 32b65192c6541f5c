#include "app/written_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "executor/fed_at_steps.h"
#include "executor/run_and_wait.h"
#include "tensor/pack_file.h"
#include "tensor/token_loop.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

using TokenNumbers = std::vector<std::int64_t>;

/// A step at which two texts part.
struct PartedStep {
  std::size_t sample = 0;
  std::int64_t step = 0, first = 0, second = 0;
};

/// A text to look at, and its name.
struct PartedText {
  fs::path sample;
  std::string name;
  PartedStep at;
};

constexpr std::size_t texts_at_once = 32;

Result<TokenNumbers> tokens_in(const fs::path& pack) {
  const auto outputs = read_pack(pack);
  if (!outputs) return tl::unexpected(outputs.error());
  const Tensor* tokens = find_value(*outputs, "tokens");
  if (tokens == nullptr || tokens->dtype() != DType::i64)
    return fail(ErrorKind::internal, "what was written has no tokens");
  const auto all = tokens->as<std::int64_t>();
  return TokenNumbers(all.begin(), all.end());
}

Result<std::vector<fs::path>> run_on(Dispatcher& dispatcher, RunJob job, std::vector<fs::path> samples,
                                     const fs::path& folder) {
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  const fs::path model = job.model;
  job.samples = std::move(samples);
  job.folder = folder;
  auto ran = run_and_wait(dispatcher, std::move(job));
  if (!ran) return tl::unexpected(ran.error());
  if (!ran->failure.failed()) return std::move(ran->outputs);
  return fail(ran->failure.machine ? ErrorKind::io : ErrorKind::bad_input,
              printable(model.string()) + " does not write: " + printable(ran->failure.message, 500));
}

std::optional<PartedStep> first_parted(const std::vector<TokenNumbers>& first,
                                       const std::vector<TokenNumbers>& second) {
  std::optional<PartedStep> found;
  for (std::size_t sample = 0; sample < std::min(first.size(), second.size()); ++sample) {
    const TokenNumbers &a = first[sample], &b = second[sample];
    for (std::size_t step = 0; step < std::min(a.size(), b.size()); ++step) {
      if (a[step] == b[step]) continue;
      const auto at = static_cast<std::int64_t>(step);
      if (!found || at < found->step) found = PartedStep{sample, at, a[step], b[step]};
      break;
    }
  }
  return found;
}

Result<std::vector<TokenNumbers>> all_tokens(const std::vector<fs::path>& packs) {
  std::vector<TokenNumbers> all;
  for (const fs::path& pack : packs) {
    auto tokens = tokens_in(pack);
    if (!tokens) return tl::unexpected(tokens.error());
    all.push_back(std::move(*tokens));
  }
  return all;
}

/// A text is run step by step up to its end: so many steps.
std::int64_t steps_run(const TokenNumbers& tokens, std::int64_t end) {
  const auto stop = std::ranges::find(tokens, end);
  return std::max<std::int64_t>(1, stop - tokens.begin());
}

std::string told_token(std::int64_t token, const TokenDecoder* decoder) {
  if (token < 0) return "no token (NaN)";
  const std::string spelled = decoder == nullptr ? "" : decoder->token(token);
  return spelled.empty() ? fmt::format("token {}", token) : fmt::format("'{}'", printable(spelled, 60));
}

Warning told_of(const PartedText& parted, const TokenDecoder* decoder) {
  return {"texts_part",
          fmt::format("the texts of {} part at token {}: {} became {}; values are compared at the first step and at "
                      "that one, both models with the cache of A",
                      parted.name, parted.at.step, told_token(parted.at.first, decoder),
                      told_token(parted.at.second, decoder))};
}

Warning told_of_same(std::size_t texts) {
  return {"texts_stay",
          fmt::format("B writes the same {} texts; their scores may differ, and are compared at the first step "
                      "of the first text and at its last",
                      texts)};
}

class TextSearch {
 public:
  TextSearch(Dispatcher& dispatcher, const BothWrite& both) : dispatcher_(dispatcher), both_(both) {}

  Result<std::optional<PartedText>> find() {
    const std::size_t count = both_.all == nullptr ? 0 : std::min(both_.numbers.size(), most_looked_through);
    for (std::size_t begin = 0; begin < count; begin += texts_at_once) {
      const fs::path folder = both_.folder / fmt::format("further-{}", begin);
      auto found = find_in(std::span(both_.numbers).subspan(begin, std::min(texts_at_once, count - begin)), folder);
      if (!found || *found) return found;
      remove_folder(folder);
    }
    return std::nullopt;
  }

  /// How many texts both have written alike.
  [[nodiscard]] std::size_t looked_through() const { return looked_through_; }

 private:
  Result<std::optional<PartedText>> find_in(std::span<const std::int64_t> numbers, const fs::path& folder) {
    if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
    std::vector<fs::path> packs;
    std::vector<std::int64_t> written;
    for (const std::int64_t number : numbers) {
      const auto sample = both_.all->at(number, dispatcher_.interrupted());
      if (!sample) continue;  // it is told by who reads them all
      packs.push_back(folder / fmt::format("{}.pack", number));
      written.push_back(number);
      if (auto ok = write_pack(packs.back(), sample->inputs); !ok) return tl::unexpected(ok.error());
    }
    const auto first = texts_by(both_.first, packs, folder / "first");
    if (!first) return tl::unexpected(first.error());
    const auto second = texts_by(both_.second, packs, folder / "second");
    if (!second) return tl::unexpected(second.error());
    looked_through_ += std::min(first->size(), second->size());
    const auto parted = first_parted(*first, *second);
    if (!parted) return std::nullopt;
    return PartedText{packs[parted->sample], "'" + printable(both_.all->name(written[parted->sample]), 100) + "'",
                      *parted};
  }

  /// No texts where the model fails on one of them.
  Result<std::vector<TokenNumbers>> texts_by(const RunJob& job, const std::vector<fs::path>& packs,
                                             const fs::path& folder) {
    if (packs.empty()) return std::vector<TokenNumbers>{};
    const auto ran = run_on(dispatcher_, job, packs, folder);
    if (ran) return all_tokens(*ran);
    return ran.error().kind == ErrorKind::bad_input ? Result<std::vector<TokenNumbers>>() : tl::unexpected(ran.error());
  }

  Dispatcher& dispatcher_;
  const BothWrite& both_;
  std::size_t looked_through_ = 0;
};

/// What the first model is fed with at the first step and at `step`.
Result<std::vector<fs::path>> fed_at_both(Dispatcher& dispatcher, const BothWrite& both, const fs::path& sample,
                                          std::int64_t step) {
  const auto inputs = read_pack(sample);
  if (!inputs) return tl::unexpected(inputs.error());
  std::vector<std::int64_t> steps{0};
  if (step > 0) steps.push_back(step);
  RunJob job = both.first;
  job.folder = both.folder / "fed";
  return fed_at_steps(dispatcher, std::move(job), *inputs, steps);
}

/// The step to look at where no text parts: the last one of the first sample.
Result<std::int64_t> last_step(const BothWrite& both, const TokenNumbers& tokens) {
  const auto sample = read_pack(both.samples.front());
  if (!sample) return tl::unexpected(sample.error());
  return steps_run(tokens, loop_of(*sample).value_or(TokenLoop{}).end) - 1;
}

}  // namespace

bool do_write(const std::vector<fs::path>& samples) {
  const auto sample = samples.empty() ? Result<std::vector<NamedTensor>>() : read_pack(samples.front());
  return sample && has_tokens(*sample);
}

Result<ComparedSteps> steps_to_compare(Dispatcher& dispatcher, const BothWrite& both) {
  const auto by_second = run_on(dispatcher, both.second, both.samples, both.folder / "second");
  if (!by_second) return tl::unexpected(by_second.error());
  const auto first = all_tokens(both.written), second = all_tokens(*by_second);
  if (!first || !second) return tl::unexpected(first ? second.error() : first.error());
  TextSearch further(dispatcher, both);
  auto text = Result<std::optional<PartedText>>();
  if (const auto parted = first_parted(*first, *second))
    text = PartedText{both.samples[parted->sample], fmt::format("sample {}", parted->sample), *parted};
  else
    text = further.find();
  if (!text) return tl::unexpected(text.error());
  const auto step = *text ? Result<std::int64_t>((*text)->at.step) : last_step(both, first->front());
  if (!step) return tl::unexpected(step.error());
  auto fed = fed_at_both(dispatcher, both, *text ? (*text)->sample : both.samples.front(), *step);
  if (!fed) return tl::unexpected(fed.error());
  Warning told = *text ? told_of(**text, both.decoder.get())
                       : told_of_same(std::max(both.samples.size(), further.looked_through()));
  return ComparedSteps{std::move(*fed), std::move(told)};
}

}  // namespace culprit
