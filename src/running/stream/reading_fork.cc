#include "stream/reading_fork.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/text.h"
#include "process/limit_itself.h"
#include "process/start_child.h"
#include "tensor/pack_bundle.h"
#include "tensor/pack_file.h"

namespace culprit {
namespace {

using Json = nlohmann::json;

constexpr std::size_t longest_reason = 500;  // characters

/// A good sample says so at once where it has a file of its own; in a bundle a few milliseconds later.
constexpr std::chrono::milliseconds between_messages(10);

using Clock = std::chrono::steady_clock;

/// What the fork does for one task.
class Reading {
 public:
  Reading(const SampleSource& source, ReadingTask task, Channel& parent)
      : source_(source), parent_(parent), task_(std::move(task)) {}

  /// False: nobody listens any more.
  bool read_all() {
    for (const std::int64_t number : task_.numbers) {
      untold_.push_back(read(number));
      const bool is_at_once = !task_.bundles || !untold_.back().is_number();
      if ((is_at_once || Clock::now() - told_ > between_messages) && !tell()) return false;
    }
    return tell();
  }

 private:
  bool tell() {
    if (untold_.empty()) return true;
    told_ = Clock::now();
    const Json told = std::exchange(untold_, Json::array());
    return parent_.send_now(told.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

  /// The bytes of its pack, or what is wrong.
  Json read(std::int64_t number) {
    const auto sample = source_.at(number, {});
    if (!sample && sample.error().kind == ErrorKind::bad_input) {
      if (task_.bundles)
        if (auto kept = keep_none(); !kept) return told_error(kept.error());
      return {{"bad", sample.error().message}};
    }
    const auto bytes = sample ? keep(number, sample->inputs) : Result<std::uint64_t>(tl::unexpected(sample.error()));
    return bytes ? Json(*bytes) : told_error(bytes.error());
  }

  static Json told_error(const Error& error) {
    return {{"error", static_cast<int>(error.kind)}, {"message", error.message}, {"hint", error.hint}};
  }

  Result<std::uint64_t> keep(std::int64_t number, const std::vector<NamedTensor>& inputs) {
    if (!task_.bundles) {
      const std::filesystem::path pack = task_.folder / (std::to_string(number) + ".pack");
      if (auto written = write_pack(pack, inputs); !written) return tl::unexpected(written.error());
      std::error_code ignored;
      return std::filesystem::file_size(pack, ignored);
    }
    if (auto ok = open_bundle(); !ok) return tl::unexpected(ok.error());
    const std::uint64_t before = bundle_->size();
    if (auto added = bundle_->add(inputs); !added) return tl::unexpected(added.error());
    return bundle_->size() - before;
  }

  Result<void> keep_none() {
    if (auto ok = open_bundle(); !ok) return ok;
    return bundle_->add_none();
  }

  Result<void> open_bundle() {
    if (bundle_) return {};
    auto opened = BundleWriter::create(task_.bundle());
    if (!opened) return tl::unexpected(opened.error());
    bundle_ = std::make_unique<BundleWriter>(std::move(*opened));
    return {};
  }

  const SampleSource& source_;
  Channel& parent_;
  ReadingTask task_;
  std::unique_ptr<BundleWriter> bundle_;
  Json untold_ = Json::array();
  Clock::time_point told_ = Clock::now();
};

/// What the fork does until its parent has no more for it.
void serve(const SampleSource& source, Channel& parent) {
  while (parent.wait()) {
    while (const auto message = parent.next()) {
      const Json told = Json::parse(*message);
      ReadingTask task{0, told.at("folder").get<std::string>(), told.at("numbers").get<std::vector<std::int64_t>>(),
                       told.at("bundles").get<bool>()};
      if (!Reading(source, std::move(task), parent).read_all()) return;
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
  child_.channel().send(
      Json{{"folder", task.folder.string()}, {"numbers", task.numbers}, {"bundles", task.bundles}}.dump());
  child_.watch(limits_);
  task_ = std::move(task);
  done_ = 0;
}

std::vector<ReadSample> ReadingFork::hear() {
  std::vector<ReadSample> samples;
  child_.check_limits();
  const bool over = child_.over();
  while (const auto message = child_.channel().next()) {
    auto told = take(*message);
    if (!told) child_.condemn({Ending::crashed, "sent something that makes no sense", ""});
    if (!told) break;
    std::ranges::move(*told, std::back_inserter(samples));
    step_done(told->size());
  }
  is_over_ = over || child_.condemned();
  if (!is_over_ || !task_) return samples;
  const Failure failure = child_.bury();
  take_bundled(samples);
  if (!task_) return samples;
  samples.push_back(
      {task_->numbers[done_], 0, "the process that read it " + printable(failure.message, longest_reason)});
  step_done(1);
  return samples;
}

/// What it had kept when it died, and had not said.
void ReadingFork::take_bundled(std::vector<ReadSample>& samples) {
  if (!task_->bundles) return;
  const auto packs = packs_in_bundle(task_->bundle());
  std::size_t more = 0;
  for (std::size_t i = done_; packs && i < std::min(packs->size(), task_->numbers.size()) && (*packs)[i]; ++i, ++more)
    samples.push_back({task_->numbers[i]});
  if (more > 0) step_done(more);
}

/// What a message says of the next samples; nothing where it makes no sense.
std::optional<std::vector<ReadSample>> ReadingFork::take(const std::string& message) const {
  const Json told = Json::parse(message, nullptr, /*allow_exceptions=*/false);
  if (!task_ || !told.is_array() || told.empty() || told.size() > task_->numbers.size() - done_) return std::nullopt;
  std::vector<ReadSample> samples;
  for (const Json& said : told) {
    ReadSample& sample = samples.emplace_back(ReadSample{task_->numbers[done_ + samples.size()]});
    const auto text = [&said](const char* key) {
      const Json value = said.value(key, Json(""));
      return printable(value.is_string() ? value.get<std::string>() : "", longest_reason);
    };
    if (said.is_number_unsigned()) {
      sample.bytes = said.get<std::uint64_t>();
    } else if (said.contains("bad")) {
      sample.bad = text("bad");
    } else if (said.contains("error")) {
      const Json& kind = said["error"];
      sample.error = Error{kind == static_cast<int>(ErrorKind::io) ? ErrorKind::io : ErrorKind::internal,
                           text("message"), text("hint")};
    } else {
      return std::nullopt;
    }
  }
  return samples;
}

/// The next sample has the whole time again.
void ReadingFork::step_done(std::size_t samples) {
  done_ += samples;
  if (done_ < task_->numbers.size()) {
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
