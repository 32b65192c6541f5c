#include "stream/reading_fork.h"

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "process/limit_itself.h"
#include "process/start_child.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_reason = 500;  // characters

/// What the fork says of one sample.
Json told(const SampleSource& source, std::int64_t number, const std::filesystem::path& folder) {
  const auto sample = source.at(number, {});
  if (!sample && sample.error().kind == ErrorKind::bad_input)
    return {{"number", number}, {"bad", sample.error().message}};
  const std::filesystem::path pack = folder / (std::to_string(number) + ".pack");
  const auto written = sample ? write_pack(pack, sample->inputs) : Result<void>(tl::unexpected(sample.error()));
  if (!written) {
    return {{"number", number},
            {"error", static_cast<int>(written.error().kind)},
            {"message", written.error().message},
            {"hint", written.error().hint}};
  }
  std::error_code ignored;
  return {{"number", number}, {"bytes", std::filesystem::file_size(pack, ignored)}};
}

/// What the fork does until its parent has no more for it.
void serve(const SampleSource& source, Channel& parent) {
  while (parent.wait()) {
    while (const auto message = parent.next()) {
      const Json task = Json::parse(*message);
      for (const std::int64_t number : task.at("numbers").get<std::vector<std::int64_t>>()) {
        const Json said = told(source, number, task.at("folder").get<std::string>());
        if (!parent.send_now(said.dump(-1, ' ', false, Json::error_handler_t::replace))) return;
      }
    }
  }
}

}  // namespace

Result<ReadingFork> ReadingFork::start(const SampleSource& source, const std::filesystem::path& scratch,
                                       const Limits& limits) {
  auto child = start_fork([&](Channel& parent) { serve(source, parent); }, scratch, limits);
  if (!child) return tl::unexpected(child.error());
  child->unwatch();
  return ReadingFork(std::move(*child), limits);
}

void ReadingFork::give(ReadingTask task) {
  child_.channel().send(Json{{"folder", task.folder.string()}, {"numbers", task.numbers}}.dump());
  child_.watch(limits_);
  task_ = std::move(task);
  done_ = 0;
}

std::vector<ReadSample> ReadingFork::hear() {
  std::vector<ReadSample> samples;
  child_.check_limits();
  const bool over = child_.over();
  while (const auto message = child_.channel().next()) {
    auto sample = take(*message);
    if (!sample) child_.condemn({Ending::crashed, "sent something that makes no sense", ""});
    if (!sample) break;
    samples.push_back(std::move(*sample));
    step_done();
  }
  is_over_ = over || child_.condemned();
  if (!is_over_ || !task_) return samples;
  const Failure failure = child_.bury();
  samples.push_back(
      {task_->numbers[done_], 0, "the process that read it " + printable(failure.message, longest_reason)});
  step_done();
  return samples;
}

std::optional<ReadSample> ReadingFork::take(const std::string& message) {
  const Json said = Json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (!task_ || !said.is_object() || said.value("number", Json()) != Json(task_->numbers[done_])) return std::nullopt;
  ReadSample sample{task_->numbers[done_]};
  const auto text = [&](const char* key) {
    const Json value = said.value(key, Json(""));
    return printable(value.is_string() ? value.get<std::string>() : "", longest_reason);
  };
  if (said.contains("bad")) {
    sample.bad = text("bad");
  } else if (said.contains("error")) {
    const Json& kind = said["error"];
    sample.error = Error{kind == static_cast<int>(ErrorKind::io) ? ErrorKind::io : ErrorKind::internal, text("message"),
                         text("hint")};
  } else if (said.contains("bytes") && said["bytes"].is_number_unsigned()) {
    sample.bytes = said["bytes"].get<std::uint64_t>();
  } else {
    return std::nullopt;
  }
  return sample;
}

/// The next sample has the whole time again.
void ReadingFork::step_done() {
  if (++done_ < task_->numbers.size()) {
    if (!is_over_) child_.watch(limits_);
    return;
  }
  task_.reset();
  child_.unwatch();
}

std::optional<ReadingTask> ReadingFork::rest() {
  if (!task_) return std::nullopt;
  ReadingTask rest = std::move(*task_);
  task_.reset();
  rest.numbers.erase(rest.numbers.begin(), rest.numbers.begin() + static_cast<std::ptrdiff_t>(done_));
  return rest;
}

}  // namespace culprit
