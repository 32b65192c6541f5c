#include "evaluate/probe_sample.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
#include "executor/refuses_sample.h"
#include "executor/run_and_wait.h"
#include "stream/chunk_reader.h"
#include "stream/run_stream.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

Error nothing_readable(const SampleSource& source, const std::string& why) {
  const std::string of = fmt::format("none of the {} samples can be read", source.size());
  return {ErrorKind::bad_input, why.empty() ? "there are no samples" : of + "; the first: " + why, ""};
}

Error does_not_run(const std::string& sample, const Failure& failure, const ProbeTools& tools) {
  return {failure.machine ? ErrorKind::io : ErrorKind::bad_input,
          printable(tools.model.string()) + " does not run on sample " + printable(sample, 200) + ": " +
              printable(failure.message, 500),
          ""};
}

bool is_made_up(const SampleSource& source) { return source.facts().source == DataSource::synthesized; }

/// Runs samples until the model takes one, or made-up ones, of which it must take all.
class Probing {
 public:
  Probing(const SampleSource& source, const ProbeTools& tools)
      : source_(source), tools_(tools), may_refuse_(!is_made_up(source)) {}

  /// Nothing where the model refuses all samples of the chunk.
  Result<std::optional<ProbedSample>> run(const SampleChunk& chunk) {
    for (std::size_t at = 0; at < chunk.packs.size() && refused_ < most_probed; ++at) {
      auto probed = run_from(chunk, at);
      if (!probed || *probed) return probed;
      ++refused_;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool gave_up() const { return refused_ >= most_probed; }
  /// Why the first sample was refused.
  [[nodiscard]] const std::optional<Error>& first_refusal() const { return first_; }

 private:
  Result<std::optional<ProbedSample>> run_from(const SampleChunk& chunk, std::size_t at) {
    ProbedSample probed;
    auto sample = read_pack(chunk.packs[at].file());
    if (!sample) return tl::unexpected(sample.error());
    probed.inputs = std::move(*sample);
    RunJob job = tools_.job(probed.inputs);
    const auto files = files_of(chunk);
    job.samples.assign(files.begin() + static_cast<std::ptrdiff_t>(at), files.end());
    job.folder = chunk.folder / fmt::format("outputs-{}", at);
    const auto ran = run_and_wait(tools_.dispatcher, std::move(job));
    if (!ran) return tl::unexpected(ran.error());
    const bool is_left_out = may_refuse_ && refuses_sample(*ran);
    if (ran->failure.failed() && (ran->outputs.empty() || !is_left_out)) {
      Error error = does_not_run(source_.name(chunk.numbers[at + ran->outputs.size()]), ran->failure, tools_);
      if (!is_left_out) return tl::unexpected(std::move(error));
      if (!first_) first_ = std::move(error);
      return std::nullopt;
    }
    auto outputs = read_pack(ran->outputs.front());
    if (!outputs) return tl::unexpected(outputs.error());
    probed.number = chunk.numbers[at];
    probed.outputs = std::move(*outputs);
    probed.bytes = chunk.bytes / chunk.packs.size();
    for (const NamedTensor& output : probed.outputs) probed.bytes += output.value.bytes().size();
    probed.seconds = ran->seconds_run / static_cast<double>(ran->outputs.size());
    probed.onnxruntime = ran->runtime_version;
    return probed;
  }

  const SampleSource& source_;
  const ProbeTools& tools_;
  bool may_refuse_;
  std::size_t refused_ = 0;
  std::optional<Error> first_;
};

}  // namespace

Result<ProbedSample> probe_sample(const SampleSource& source, const ProbeTools& tools, std::string& why) {
  ReadingOptions reading;
  reading.samples_per_chunk = is_made_up(source) ? 2 : 1;
  reading.ahead = 0;
  reading.processes = 1;
  reading.each_sample = tools.limits;
  reading.folder = tools.folder;
  if (auto ok = make_folder(reading.folder); !ok) return tl::unexpected(ok.error());
  const auto reader = make_chunk_reader(source, in_order(source.size()), reading);
  Probing probing(source, tools);
  while (true) {
    auto chunk = reader->next(tools.dispatcher.interrupted());
    if (!chunk) return tl::unexpected(chunk.error());
    if (!*chunk) return tl::unexpected(probing.first_refusal().value_or(nothing_readable(source, why)));
    if (!(*chunk)->skipped.empty() && why.empty())
      why = (*chunk)->skipped.front().name + ": " + (*chunk)->skipped.front().reason;
    auto probed = probing.run(**chunk);
    if (!probed) return tl::unexpected(probed.error());
    if (*probed) return std::move(**probed);
    if (probing.gave_up()) return tl::unexpected(*probing.first_refusal());
    remove_folder((*chunk)->folder);
  }
}

}  // namespace culprit
