// A chunk of texts is read by forks (stream/chunk_reader.h) and run in slices, each in a worker that keeps its session.
// Lines go to a file beside the one that is asked for, which is written when all are known.
#include "evaluate/encode_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/file_parts.h"
#include "base/folder.h"
#include "base/text.h"
#include "data/sets/token_source.h"
#include "stream/chunk_reader.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

constexpr std::size_t texts_of_a_chunk = 64, dims_of_encoded = 3;

/// What became of a text: what the encoder gave, or why there is nothing.
struct EncodedOutcome {
  fs::path pack;
  std::string failed;
};

class EncodingRun {
 public:
  EncodingRun(PreparedTexts texts, const SampleSource& source, const EncodeTools& tools, std::string output)
      : texts_(std::move(texts)), source_(source), tools_(tools), output_(std::move(output)), facts_(texts_.facts()) {
    facts_.samples = 0;
  }

  Result<void> run(GrowingFile& lines) {
    ReadingOptions reading;
    reading.samples_per_chunk = texts_of_a_chunk;
    reading.processes = tools_.places;
    reading.each_sample = tools_.job.limits;
    reading.folder = tools_.folder;
    const auto reader = make_chunk_reader(source_, in_order(source_.size()), reading);
    while (true) {
      auto chunk = reader->next(tools_.dispatcher.interrupted());
      if (!chunk) return tl::unexpected(chunk.error());
      if (!*chunk) return {};
      for (const SkippedSample& skipped : (*chunk)->skipped) leave_out(skipped.number, skipped.reason);
      if (auto ok = run_chunk(**chunk); !ok) return ok;
      if (auto ok = take(**chunk, lines); !ok) return ok;
      remove_folder((*chunk)->folder);
      if (tools_.progress) tools_.progress(done_, source_.size());
    }
  }

  [[nodiscard]] const PreparedFacts& facts() const { return facts_; }

 private:
  Result<void> run_chunk(const SampleChunk& chunk) {
    const auto files = files_of(chunk);
    outcomes_.assign(files.size(), {});
    const std::size_t slice = (files.size() + tools_.places - 1) / std::max<std::size_t>(1, tools_.places);
    for (std::size_t begin = 0; begin < files.size(); begin += slice)
      run_slice(chunk.folder, files, begin, std::min(begin + slice, files.size()));
    if (auto ok = tools_.dispatcher.drain(); !ok) return ok;
    return given_up_ ? tl::unexpected(*given_up_) : Result<void>();
  }

  /// A text on which the encoder fails costs that text: the rest of the slice runs again behind it.
  void run_slice(const fs::path& folder, const std::vector<fs::path>& files, std::size_t begin, std::size_t end) {
    if (begin >= end || given_up_) return;
    RunJob job = tools_.job;
    job.samples.assign(files.begin() + static_cast<std::ptrdiff_t>(begin),
                       files.begin() + static_cast<std::ptrdiff_t>(end));
    job.folder = folder / fmt::format("encoded-{}", begin);
    job.keeps_session = true;
    tools_.dispatcher.run(std::move(job), [this, folder, &files, begin, end](const RunOutcome& outcome) {
      const std::size_t failed = begin + outcome.outputs.size();
      for (std::size_t i = begin; i < failed; ++i) outcomes_[i].pack = outcome.outputs[i - begin];
      if (!outcome.failure.failed() || failed >= end) return;
      const std::string why = printable(outcome.failure.message, 500);
      if (outcome.failure.machine || outcome.stage != RunOutcome::Stage::run) {
        given_up_ = Error{outcome.failure.machine ? ErrorKind::io : ErrorKind::bad_input,
                          "the encoder cannot be run: " + why, ""};
        return;
      }
      outcomes_[failed].failed = "the encoder fails on it: " + why;
      run_slice(folder, files, failed + 1, end);
    });
  }

  Result<void> take(const SampleChunk& chunk, GrowingFile& lines) {
    for (std::size_t i = 0; i < outcomes_.size(); ++i) {
      const std::int64_t number = chunk.numbers[i];
      auto line = line_with(number, outcomes_[i]);
      if (!line) {
        if (line.error().kind != ErrorKind::bad_input) return tl::unexpected(line.error());
        leave_out(number, line.error().message);
        continue;
      }
      const std::array<std::string_view, 1> pieces{*line};
      if (auto ok = lines.append(pieces); !ok) return ok;
      ++facts_.samples;
      ++done_;
    }
    return {};
  }

  /// ErrorKind::bad_input: the text is of no use, and why.
  [[nodiscard]] Result<std::string> line_with(std::int64_t number, const EncodedOutcome& outcome) const {
    if (!outcome.failed.empty()) return fail(ErrorKind::bad_input, outcome.failed);
    auto sample = texts_.at(number);
    if (!sample) return tl::unexpected(sample.error());
    const auto outputs = read_pack(outcome.pack);
    if (!outputs) return tl::unexpected(outputs.error());
    const Tensor* given = find_value(*outputs, output_);
    const auto longest = std::ranges::max(sample->ids, {}, &std::vector<std::int64_t>::size).size();
    const bool fits = given != nullptr && is_float(given->dtype()) && given->shape().size() == dims_of_encoded &&
                      given->shape()[0] == std::ssize(sample->ids) &&
                      std::cmp_greater_equal(given->shape()[1], longest);
    if (!fits)
      return fail(ErrorKind::bad_input, fmt::format("the encoder gives {} for {} tokens",
                                                    given == nullptr ? "nothing" : to_string(given->shape()), longest));
    sample->encoded = *given;
    return line_of(*sample);
  }

  void leave_out(std::int64_t number, const std::string& reason) {
    ++done_;
    ++facts_.left_out;
    if (facts_.listed.size() < LeftOutTexts::most_listed) facts_.listed.push_back({source_.name(number), reason});
  }

  PreparedTexts texts_;
  const SampleSource& source_;
  const EncodeTools& tools_;
  std::string output_;
  PreparedFacts facts_;
  std::vector<EncodedOutcome> outcomes_;  // of the chunk under way
  std::optional<Error> given_up_;
  std::int64_t done_ = 0;
};

Result<std::string> encoded_output(const Model& encoder) {
  for (const ValueInfo& output : encoder.interface.outputs)
    if (is_float(output.dtype) && (!output.has_shape || output.dims.size() == dims_of_encoded)) return output.name;
  return fail(ErrorKind::usage, "--encoder: no output has floats [N,L,D]",
              "an encoder gives numbers for each token, such as last_hidden_state of encoder_model.onnx");
}

}  // namespace

Result<PreparedFacts> encode_texts(const fs::path& plain, const Model& encoder, const fs::path& to,
                                   const EncodeTools& tools) {
  auto output = encoded_output(encoder);
  if (!output) return tl::unexpected(output.error());
  auto texts = PreparedTexts::open(plain);
  if (!texts) return tl::unexpected(texts.error());
  const auto source = open_encoder_tokens(plain, encoder);
  if (!source) return tl::unexpected(source.error());
  const auto beside = TemporaryFolder::create(fs::absolute(to).parent_path(), ".culprit-encoded-");
  if (!beside) return tl::unexpected(beside.error());
  const fs::path body = beside->path() / "lines";
  auto lines = GrowingFile::create(body);
  if (!lines) return tl::unexpected(lines.error());
  EncodingRun run(std::move(*texts), **source, tools, std::move(*output));
  if (auto ok = run.run(*lines); !ok) return tl::unexpected(ok.error());
  PreparedFacts facts = run.facts();
  facts.encoder = encoder.path.filename().string();
  if (facts.samples == 0)
    return fail(ErrorKind::bad_input, "the encoder reads none of the texts; " +
                                          printable(facts.listed.back().name, 200) + ": " +
                                          printable(facts.listed.back().reason, 500));
  const auto mapped = MappedFile::open(body);
  if (!mapped) return tl::unexpected(mapped.error());
  const auto bytes = mapped->bytes();
  const std::string head = line_of(facts);
  const std::array<std::string_view, 2> pieces{head, {reinterpret_cast<const char*>(bytes.data()), bytes.size()}};
  if (auto ok = write_pieces_atomic(to, pieces, Durability::flushed, tools.dispatcher.interrupted()); !ok)
    return tl::unexpected(ok.error());
  return facts;
}

}  // namespace culprit
