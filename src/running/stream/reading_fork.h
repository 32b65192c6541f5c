#pragma once
// One process that reads samples, as its parent sees it, and what it does itself.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/sample_source.h"
#include "process/child.h"

namespace culprit {

/// Numbers of one chunk that one process reads, one behind the other.
struct ReadingTask {
  std::size_t chunk = 0;
  std::filesystem::path folder;
  std::vector<std::int64_t> numbers;
  bool bundles = false;  ///< all go into one file; else each into <number>.pack
  [[nodiscard]] std::filesystem::path bundle() const { return folder / (std::to_string(numbers.front()) + ".packs"); }
};

/// What became of one sample.
struct ReadSample {
  std::int64_t number = 0;
  std::uint64_t bytes = 0;          ///< of its pack
  std::string bad = {};             ///< why it is of no use; "" where it is good
  std::optional<Error> error = {};  ///< that ends the whole reading
};

class ReadingFork {
 public:
  static Result<ReadingFork> start(const SampleSource& source, const std::filesystem::path& scratch,
                                   const Limits& limits);

  void give(ReadingTask task);
  [[nodiscard]] bool is_idle() const { return !task_; }
  [[nodiscard]] const ReadingTask& task() const { return *task_; }
  /// What it has said since; a sample that it died over is a bad one.
  std::vector<ReadSample> hear();
  [[nodiscard]] bool is_over() const { return is_over_; }
  /// Behind its end: what is left of its task.
  std::optional<ReadingTask> rest();
  Child& child() { return child_; }

 private:
  ReadingFork(Child child, const Limits& limits) : child_(std::move(child)), limits_(limits) {}
  std::optional<std::vector<ReadSample>> take(const std::string& message) const;
  void take_bundled(std::vector<ReadSample>& samples);
  void step_done(std::size_t samples);

  Child child_;
  Limits limits_;  // of one sample
  std::optional<ReadingTask> task_;
  std::size_t done_ = 0;  // of its numbers
  bool is_over_ = false;
};

}  // namespace culprit
