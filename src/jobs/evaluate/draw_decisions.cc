#include "evaluate/draw_decisions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/folder.h"
#include "base/stop.h"
#include "base/text.h"
#include "picture/decode_picture.h"
#include "picture/encode_picture.h"
#include "stream/chunk_reader.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 80;  // bytes

/// "12-cats_1.jpg.png": plain, and each its own.
std::string file_name(std::int64_t number, const std::string& name) {
  std::string plain = name.substr(name.size() - std::min(name.size(), longest_name));
  for (char& c : plain) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || (std::isalnum(byte) == 0 && c != '.' && c != '-')) c = '_';
  }
  return fmt::format("{}-{}.png", number, plain);
}

std::vector<Detection> found_in(const fs::path& pack, const DecisionTask& task, const std::vector<std::size_t>& order) {
  const auto outputs = read_pack_in_order(pack, order);
  if (!outputs) return {};
  const auto decision = task.decide(*outputs);
  return decision ? task.found(**decision) : std::vector<Detection>();
}

/// In pixels of the model's input -> on the picture.
DrawnBox on_picture(const Box& box, const Placement& place) {
  const auto x = [&](double at) { return (at - place.offset_x) / place.scale_x; };
  const auto y = [&](double at) { return (at - place.offset_y) / place.scale_y; };
  return {x(box.x0), y(box.y0), x(box.x1), y(box.y1)};
}

class DecisionDrawing {
 public:
  DecisionDrawing(Dispatcher& dispatcher, const SampleSource& source, const std::vector<DrawnModel>& models,
                  const DecisionTask& task, const DrawPlaces& places)
      : dispatcher_(dispatcher), source_(source), models_(models), task_(task), places_(places) {}

  Result<std::size_t> draw(std::vector<std::int64_t> numbers) {
    if (auto ok = make_folder(places_.out); !ok) return tl::unexpected(ok.error());
    const auto chunk = read_chunk(source_, std::move(numbers), models_.front().model.job.limits, places_.work,
                                  dispatcher_.interrupted());
    if (!chunk) return tl::unexpected(chunk.error());
    if (chunk->numbers.empty()) return 0;
    if (auto ok = run(*chunk); !ok) return tl::unexpected(ok.error());
    for (std::size_t i = 0; i < chunk->numbers.size(); ++i) {
      if (is_stopped(dispatcher_.interrupted())) return ended_early();
      if (auto ok = draw_one(i, chunk->numbers[i]); !ok) return tl::unexpected(ok.error());
    }
    return written_;
  }

 private:
  /// A model that fails on a sample is not asked for those behind it: this is for the eye only.
  Result<void> run(const SampleChunk& chunk) {
    outputs_.resize(models_.size());
    for (std::size_t model = 0; model < models_.size(); ++model) {
      RunJob job = models_[model].model.job;
      job.samples = files_of(chunk);
      job.folder = chunk.folder / ("outputs-" + std::to_string(model));
      dispatcher_.run(std::move(job), [this, model](const RunOutcome& outcome) { outputs_[model] = outcome.outputs; });
    }
    return dispatcher_.drain();
  }

  Result<void> draw_one(std::size_t at, std::int64_t number) {
    auto picture = read_picture(models_.front().pictures->file(number));
    if (!picture) return {};
    for (std::size_t model = 0; model < models_.size(); ++model) {
      const auto place = placement_of(picture->size(), models_[model].pictures->preprocessing());
      if (!place || at >= outputs_[model].size()) continue;
      for (const Detection& one : found_in(outputs_[model][at], task_, models_[model].model.outputs)) {
        const std::string text = fmt::format("{} {:.2f}", one.label, one.score);
        draw_box(*picture, on_picture(one.box, *place), colour_for(model), model == 0 ? text : "");
      }
    }
    ++written_;
    return write_png(places_.out / file_name(number, source_.name(number)), *picture);
  }

  Dispatcher& dispatcher_;
  const SampleSource& source_;
  const std::vector<DrawnModel>& models_;
  const DecisionTask& task_;
  const DrawPlaces& places_;
  std::vector<std::vector<fs::path>> outputs_;  // of each model
  std::size_t written_ = 0;
};

}  // namespace

std::vector<std::int64_t> worth_drawing(const StreamReport& streamed, const std::vector<std::int64_t>& numbers) {
  constexpr std::size_t most = 20;
  std::vector<std::int64_t> drawn;
  const auto add = [&](std::int64_t number) {
    if (drawn.size() < most && std::ranges::find(drawn, number) == drawn.end()) drawn.push_back(number);
  };
  for (const StreamedResult& result : streamed.models)
    for (const WorstDecision& worst : result.decisions.worst) add(worst.sample);
  for (std::size_t i = 0; i < numbers.size() && drawn.size() < most; ++i) add(numbers[i]);
  return drawn;
}

Warning not_drawn(const Error& error) {
  const std::string why = error.kind == ErrorKind::interrupted ? "interrupted" : error.text();
  return {"not_drawn", "not all images are drawn (--draw): " + why};
}

Result<std::size_t> draw_decisions(Dispatcher& dispatcher, const SampleSource& source,
                                   const std::vector<DrawnModel>& models, const DecisionTask& task,
                                   std::vector<std::int64_t> numbers, const DrawPlaces& places) {
  if (numbers.empty()) return 0;
  return DecisionDrawing(dispatcher, source, models, task, places).draw(std::move(numbers));
}

}  // namespace culprit
