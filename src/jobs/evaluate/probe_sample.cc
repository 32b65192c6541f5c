#include "evaluate/probe_sample.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/folder.h"
#include "base/text.h"
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

Error does_not_run(const SampleSource& source, const SampleChunk& chunk, const RunOutcome& outcome,
                   const ProbeTools& tools) {
  const auto number = chunk.numbers[std::min(outcome.outputs.size(), chunk.numbers.size() - 1)];
  return {outcome.failure.machine ? ErrorKind::io : ErrorKind::bad_input,
          printable(tools.model.string()) + " does not run on sample " + printable(source.name(number), 200) + ": " +
              printable(outcome.failure.message, 500),
          ""};
}

Result<ProbedSample> run_probe(const SampleSource& source, const SampleChunk& chunk, const ProbeTools& tools) {
  ProbedSample probed;
  auto sample = read_pack(chunk.packs.front().file());
  if (!sample) return tl::unexpected(sample.error());
  probed.inputs = std::move(*sample);
  RunJob job = tools.job(probed.inputs);
  job.samples = files_of(chunk);
  job.folder = chunk.folder / "outputs";
  const auto ran = run_and_wait(tools.dispatcher, std::move(job));
  if (!ran) return tl::unexpected(ran.error());
  if (ran->failure.failed()) return tl::unexpected(does_not_run(source, chunk, *ran, tools));
  auto outputs = read_pack(ran->outputs.front());
  if (!outputs) return tl::unexpected(outputs.error());
  probed.number = chunk.numbers.front();
  probed.outputs = std::move(*outputs);
  probed.bytes = chunk.bytes / chunk.packs.size();
  for (const NamedTensor& output : probed.outputs) probed.bytes += output.value.bytes().size();
  probed.seconds = ran->seconds_run / static_cast<double>(chunk.packs.size());
  probed.onnxruntime = ran->runtime_version;
  return probed;
}

}  // namespace

Result<ProbedSample> probe_sample(const SampleSource& source, std::size_t samples, const ProbeTools& tools,
                                  std::string& why) {
  ReadingOptions reading;
  reading.samples_per_chunk = samples;
  reading.ahead = 0;
  reading.processes = 1;
  reading.each_sample = tools.limits;
  reading.folder = tools.folder;
  if (auto ok = make_folder(reading.folder); !ok) return tl::unexpected(ok.error());
  const auto reader = make_chunk_reader(source, in_order(source.size()), reading);
  while (true) {
    auto chunk = reader->next(tools.dispatcher.interrupted());
    if (!chunk) return tl::unexpected(chunk.error());
    if (!*chunk) return tl::unexpected(nothing_readable(source, why));
    if (!(*chunk)->packs.empty()) return run_probe(source, **chunk, tools);
    const SkippedSample& skipped = (*chunk)->skipped.front();
    if (why.empty()) why = skipped.name + ": " + skipped.reason;
    remove_folder((*chunk)->folder);
  }
}

}  // namespace culprit
