#include "stream/chunk_reader.h"

#include <algorithm>
#include <deque>
#include <list>
#include <map>
#include <numeric>

#include "base/folder.h"
#include "base/random.h"
#include "stream/reading_fork.h"

namespace culprit {
namespace {

constexpr int milliseconds_between_questions = 100;  // whether it is to stop

/// A chunk in the making.
struct OpenChunk {
  std::filesystem::path folder;
  std::vector<std::int64_t> numbers;
  std::map<std::int64_t, ReadSample> read = {};
  std::vector<ReadingTask> bundled = {};  // whose samples share a file
  [[nodiscard]] bool is_whole() const { return read.size() == numbers.size(); }
};

/// Tasks are handed out in the order of the chunks. A fork that died is replaced, and what it had not read goes first.
class ForkedReader : public ChunkReader {
 public:
  ForkedReader(const SampleSource& source, std::vector<std::int64_t> numbers, ReadingOptions options)
      : source_(source), numbers_(std::move(numbers)), options_(std::move(options)) {}

  ~ForkedReader() override {
    forks_.clear();
    for (const auto& [at, chunk] : open_) remove_folder(chunk.folder);
  }
  ForkedReader(const ForkedReader&) = delete;
  ForkedReader& operator=(const ForkedReader&) = delete;

  Result<std::optional<SampleChunk>> next(const Stop& stop) override {
    if (begin_of(next_) >= numbers_.size()) return std::nullopt;
    const std::size_t wanted = next_++;
    if (auto ok = open_up_to(wanted + options_.ahead); !ok) return tl::unexpected(ok.error());
    while (true) {
      if (auto ok = hand_out(); !ok) return tl::unexpected(ok.error());
      if (open_.at(wanted).is_whole()) return close(wanted);
      if (is_stopped(stop)) return ended_early();
      wait();
      if (auto ok = hear_all(); !ok) return tl::unexpected(ok.error());
    }
  }

 private:
  [[nodiscard]] std::size_t begin_of(std::size_t chunk) const {
    return chunk == 0 ? 0 : options_.first_chunk + (chunk - 1) * options_.samples_per_chunk;
  }

  Result<void> open_up_to(std::size_t last) {
    for (; opened_ <= last && begin_of(opened_) < numbers_.size(); ++opened_) {
      const auto begin = numbers_.begin() + static_cast<std::ptrdiff_t>(begin_of(opened_));
      const auto end = numbers_.begin() + static_cast<std::ptrdiff_t>(std::min(numbers_.size(), begin_of(opened_ + 1)));
      OpenChunk chunk{options_.folder / std::to_string(opened_), {begin, end}};
      if (auto ok = make_folder(chunk.folder); !ok) return ok;
      for (ReadingTask& task : tasks_of(chunk)) tasks_.push_back(std::move(task));
      open_.emplace(opened_, std::move(chunk));
    }
    return {};
  }

  /// Its numbers, dealt out to all processes, each a part that hangs together.
  [[nodiscard]] std::vector<ReadingTask> tasks_of(const OpenChunk& chunk) const {
    std::vector<ReadingTask> tasks(std::min(chunk.numbers.size(), options_.processes));
    for (std::size_t i = 0; i < chunk.numbers.size(); ++i)
      tasks[i * tasks.size() / chunk.numbers.size()].numbers.push_back(chunk.numbers[i]);
    for (ReadingTask& task : tasks) {
      task.chunk = opened_;
      task.folder = chunk.folder;
      task.bundles = options_.bundles;
    }
    return tasks;
  }

  Result<void> hand_out() {
    while (forks_.size() < options_.processes && forks_.size() < tasks_.size()) {
      auto fork = ReadingFork::start(source_, options_.folder, options_.each_sample);
      if (!fork) return tl::unexpected(fork.error());
      forks_.push_back(std::move(*fork));
    }
    for (ReadingFork& fork : forks_) {
      if (tasks_.empty()) break;
      if (!fork.is_idle()) continue;
      if (tasks_.front().bundles) open_.at(tasks_.front().chunk).bundled.push_back(tasks_.front());
      fork.give(std::move(tasks_.front()));
      tasks_.pop_front();
    }
    return {};
  }

  void wait() {
    std::vector<Child*> children;
    int milliseconds = milliseconds_between_questions;
    for (ReadingFork& fork : forks_) {
      children.push_back(&fork.child());
      const int soon = fork.child().milliseconds();
      if (soon >= 0) milliseconds = std::min(milliseconds, soon);
    }
    wait_for(children, {}, milliseconds);
  }

  Result<void> hear_all() {
    for (auto fork = forks_.begin(); fork != forks_.end();) {
      const std::size_t chunk = fork->is_idle() ? 0 : fork->task().chunk;
      for (ReadSample& sample : fork->hear()) {
        if (sample.error) return tl::unexpected(*sample.error);
        const std::int64_t number = sample.number;
        open_.at(chunk).read.emplace(number, std::move(sample));
      }
      if (!fork->is_over()) {
        ++fork;
        continue;
      }
      if (auto rest = fork->rest()) tasks_.push_front(std::move(*rest));
      fork = forks_.erase(fork);
    }
    return {};
  }

  /// Tells where the samples lie that share files. A process that died has left its later ones to another.
  static Result<std::map<std::int64_t, PackPlace>> places_in(const OpenChunk& chunk) {
    std::map<std::int64_t, PackPlace> places;
    for (const ReadingTask& task : chunk.bundled) {
      const auto packs = packs_in_bundle(task.bundle());
      if (!packs) return tl::unexpected(packs.error());
      for (std::size_t i = 0; i < std::min(packs->size(), task.numbers.size()); ++i)
        if ((*packs)[i]) places.emplace(task.numbers[i], *(*packs)[i]);
    }
    return places;
  }

  Result<std::optional<SampleChunk>> close(std::size_t at) {
    OpenChunk whole = std::move(open_.at(at));
    open_.erase(at);
    auto places = places_in(whole);
    if (!places) return tl::unexpected(places.error());
    SampleChunk chunk{std::move(whole.folder), {}, {}, {}};
    for (const std::int64_t number : whole.numbers) {
      ReadSample& sample = whole.read.at(number);
      if (!sample.bad.empty()) {
        chunk.skipped.push_back({number, source_.name(number), std::move(sample.bad)});
        continue;
      }
      chunk.numbers.push_back(number);
      if (options_.bundles && !places->contains(number))
        return fail(ErrorKind::internal, "sample " + source_.name(number) + " was read, and is not there");
      chunk.packs.push_back(options_.bundles ? std::move(places->at(number))
                                             : PackPlace(chunk.folder / (std::to_string(number) + ".pack")));
      chunk.bytes += sample.bytes;
    }
    return chunk;
  }

  const SampleSource& source_;
  std::vector<std::int64_t> numbers_;
  ReadingOptions options_;
  std::size_t next_ = 0;    // the chunk that will be asked for
  std::size_t opened_ = 0;  // chunks so far
  std::map<std::size_t, OpenChunk> open_;
  std::deque<ReadingTask> tasks_;  // that nobody works on
  std::list<ReadingFork> forks_;
};

}  // namespace

std::unique_ptr<ChunkReader> make_chunk_reader(const SampleSource& source, std::vector<std::int64_t> numbers,
                                               ReadingOptions options) {
  options.samples_per_chunk = std::max<std::size_t>(1, options.samples_per_chunk);
  if (options.first_chunk == 0) options.first_chunk = options.samples_per_chunk;
  options.processes = std::max<std::size_t>(1, options.processes);
  return std::make_unique<ForkedReader>(source, std::move(numbers), std::move(options));
}

Result<SampleChunk> read_chunk(const SampleSource& source, std::vector<std::int64_t> numbers, const Limits& each_sample,
                               const std::filesystem::path& folder, const Stop& stop) {
  ReadingOptions reading;
  reading.samples_per_chunk = std::max<std::size_t>(1, numbers.size());
  reading.ahead = 0;
  reading.each_sample = each_sample;
  reading.folder = folder;
  if (auto ok = make_folder(folder); !ok) return tl::unexpected(ok.error());
  auto chunk = make_chunk_reader(source, std::move(numbers), reading)->next(stop);
  if (!chunk) return tl::unexpected(chunk.error());
  return *chunk ? std::move(**chunk) : SampleChunk{};
}

std::vector<std::filesystem::path> files_of(const SampleChunk& chunk) {
  std::vector<std::filesystem::path> files;
  for (const PackPlace& pack : chunk.packs) files.push_back(pack.file());
  return files;
}

std::vector<std::int64_t> in_order(std::int64_t size) {
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(std::max<std::int64_t>(0, size)));
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

std::vector<std::int64_t> shuffled(std::int64_t size, std::uint64_t seed) {
  std::vector<std::int64_t> numbers = in_order(size);
  Random random(seed, "order of samples");
  for (std::int64_t last = size - 1; last > 0; --last)
    std::swap(numbers[static_cast<std::size_t>(last)], numbers[static_cast<std::size_t>(random.between(0, last))]);
  return numbers;
}

}  // namespace culprit
