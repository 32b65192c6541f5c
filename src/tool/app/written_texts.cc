#include "app/written_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
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

Warning told_of(const std::optional<PartedStep>& parted, std::size_t texts, const TokenDecoder* decoder) {
  if (!parted)
    return {"texts_stay", fmt::format("B writes the same {} texts; the first step of the first one and the last are "
                                      "compared",
                                      texts)};
  return {"texts_part",
          fmt::format(
              "the texts of sample {} part at token {}: {} became {}; values are compared at the first step and "
              "at that one, both models with the cache of A",
              parted->sample, parted->step, told_token(parted->first, decoder), told_token(parted->second, decoder))};
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
  const auto parted = first_parted(*first, *second);
  const std::size_t number = parted ? parted->sample : 0;
  const auto sample = read_pack(both.samples.at(number));
  if (!sample) return tl::unexpected(sample.error());
  const std::int64_t end = loop_of(*sample).value_or(TokenLoop{}).end;
  const std::int64_t step = parted ? parted->step : steps_run(first->at(number), end) - 1;
  std::vector<fs::path> shown;
  for (const std::int64_t at : {std::int64_t{0}, step}) {
    if (!shown.empty() && at == 0) break;
    shown.push_back(both.folder / fmt::format("shown-{}.pack", at));
    if (auto written = write_pack(shown.back(), shown_at(*sample, at)); !written)
      return tl::unexpected(written.error());
  }
  auto fed = run_on(dispatcher, both.first, std::move(shown), both.folder / "fed");
  if (!fed) return tl::unexpected(fed.error());
  return ComparedSteps{std::move(*fed), told_of(parted, both.samples.size(), both.decoder.get())};
}

}  // namespace culprit
