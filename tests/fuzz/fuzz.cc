// Mutated models through the real tool: it must never die, hang, leave something behind or say something wrong.
//
//   fuzz [--seed S] [--first I] [--models N] [--only I] [--in-turns] [--zoo FOLDER] [--keep FOLDER] [--binary FILE]
//   [--write FOLDER]
//
// Model I of seed S is the same on every machine with the same corpus (and zoo). What fails is kept, and can be run
// again alone with --seed S --only I.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/file.h"
#include "fuzz/batch.h"
#include "fuzz/figures.h"
#include "fuzz/mutant.h"
#include "support/turn.h"

namespace culprit::fuzz {
namespace {

constexpr std::size_t batch_size = 50;
constexpr int batches_in_turn = 3;

struct Options {
  std::uint64_t seed = 1;
  std::size_t first = 0, models = 5000;
  std::optional<std::size_t> only;
  bool in_turns = false;
  std::string zoo, keep = "fuzz-kept", binary = CULPRIT_BINARY, write;
};

Command command_of(std::size_t number) {
  switch (number % 10) {
    case 5:
      return Command::compare;
    case 6:
      return Command::profile;
    case 7:
      return Command::eval;
    case 9:
      return Command::optimize;
    default:
      return Command::check;
  }
}

/// What is done with a batch follows from its number, so that a model alone gets the same. Six of ten are checked
/// together; the others are optimized, compared, profiled or evaluated model by model.
Batch batch_of(std::size_t number) {
  static const std::vector<std::vector<std::string>> ways{{},
                                                          {"--all-passes", "--strict", "--no-localize"},
                                                          {"--repeat", "stable", "--samples", "2"},
                                                          {"--deploy-level", "off", "--keep-variants", "--no-localize"},
                                                          {"--repeat", "library", "--deploy-level", "basic"}};
  Batch batch;
  batch.command = command_of(number);
  if (batch.command == Command::check) batch.flags = ways[number % ways.size()];
  if (batch.command == Command::profile) batch.flags = {"--levels", "off,all", "--blocks", "2"};
  if (std::ranges::find(batch.flags, "--samples") == batch.flags.end())
    batch.flags.insert(batch.flags.end(), {"--samples", "1"});
  batch.flags.insert(batch.flags.end(), {"--timeout", "3s", "--memory", "2GB"});
  batch.as_text = number % 2 == 1;
  return batch;
}

class Driver {
 public:
  Driver(const Options& options, std::vector<Seed> seeds)
      : options_(options),
        seeds_(std::move(seeds)),
        folder_(TemporaryFolder::create(fs::temp_directory_path(), "culprit-fuzz-").value()) {}

  /// How many models, or batches, something is wrong with.
  int run() {
    if (options_.only) {
      run_from(*options_.only, 1);
    } else {
      const std::size_t end = options_.first + options_.models;
      for (std::size_t first = options_.first, count = 0; first < end; first += count) {
        const std::size_t together =
            command_of(first / batch_size) != Command::check ? 1 : batch_size - first % batch_size;
        count = std::min(together, end - first);
        const std::size_t place = together == 1 ? first : first / batch_size;
        if (!options_.in_turns || testing::is_turn_of(place, batches_in_turn)) run_from(first, count);
      }
    }
    fmt::print("seed {}, {} seed models\n{}{:.0f} seconds in the tool\n{}\n", options_.seed, seeds_.size(),
               figures_.text(), seconds_, failures_ == 0 ? "nothing wrong" : fmt::format("{} failures", failures_));
    return failures_;
  }

 private:
  void run_from(std::size_t first, std::size_t count) {
    Batch batch = batch_of(first / batch_size);
    for (std::size_t i = first; i < first + count; ++i) {
      const Mutant mutant = make_mutant(seeds_, options_.seed, i);
      figures_.add(mutant);
      batch.models.push_back({std::to_string(i) + ".onnx", mutant.bytes});
      if (batch.command == Command::compare) batch.models.push_back({"original.onnx", mutant.original});
    }
    const BatchResult result = run_batch(options_.binary, batch, folder_.path() / "batch");
    figures_.add(result.report, first);
    seconds_ += result.seconds;
    if ((first + count - options_.first) % batch_size == 0)
      fmt::print(stderr, "{} of {}\n", first + count - options_.first, options_.models);
    if (!result.complaints.empty()) blame(batch, result, first);
  }

  /// Each model of a batch alone, to see which it is.
  void blame(const Batch& batch, const BatchResult& together, std::size_t first) {
    bool found = false;
    const bool is_of_many = batch.command == Command::check && batch.models.size() > 1;
    for (std::size_t i = 0; is_of_many && i < batch.models.size(); ++i) {
      Batch alone = batch;
      alone.models = {batch.models[i]};
      const BatchResult result = run_batch(options_.binary, alone, folder_.path() / "alone");
      if (result.complaints.empty()) continue;
      found = true;
      tell(alone, result, first + i);
    }
    if (!found) tell(batch, together, first);
  }

  void tell(const Batch& batch, const BatchResult& result, std::size_t number) {
    ++failures_;
    const Mutant mutant = make_mutant(seeds_, options_.seed, number);
    fs::create_directories(options_.keep);
    for (const NamedFile& model : batch.models)
      (void)write_file_atomic(fs::path(options_.keep) / fmt::format("seed{}-{}", options_.seed, model.name),
                              model.bytes);
    fmt::print("--seed {} --only {}{}: {} [{}]\n", options_.seed, number,
               batch.command == Command::check && batch.models.size() > 1
                   ? fmt::format(" to {}, together", number + batch.models.size() - 1)
                   : "",
               mutant.seed, fmt::join(mutant.kinds, ", "));
    for (const std::string& complaint : result.complaints) fmt::print("    {}\n", complaint);
    std::fflush(stdout);
  }

  Options options_;
  std::vector<Seed> seeds_;
  TemporaryFolder folder_;
  Figures figures_;
  double seconds_ = 0;
  int failures_ = 0;
};

/// The models themselves, to look at.
int write_models(const Options& options, const std::vector<Seed>& seeds) {
  const std::size_t first = options.only.value_or(options.first), count = options.only ? 1 : options.models;
  fs::create_directories(options.write);
  for (std::size_t i = first; i < first + count; ++i) {
    const Mutant mutant = make_mutant(seeds, options.seed, i);
    fmt::print("{}: {} [{}]\n", i, mutant.seed, fmt::join(mutant.kinds, ", "));
    if (!write_file_atomic(fs::path(options.write) / fmt::format("{}.onnx", i), mutant.bytes)) return 2;
  }
  return 0;
}

int fuzz(const Options& options) {
  auto seeds = read_seeds(options.zoo);
  if (!seeds) {
    fmt::print(stderr, "{}\n", seeds.error().text());
    return 2;
  }
  if (!options.write.empty()) return write_models(options, *seeds);
  return Driver(options, std::move(*seeds)).run() == 0 ? 0 : 1;
}

}  // namespace
}  // namespace culprit::fuzz

int main(int argc, char** argv) {
  culprit::fuzz::Options options;
  CLI::App app("Mutated models through the built culprit");
  app.add_option("--seed", options.seed, "Seed of all mutations (1)");
  app.add_option("--first", options.first, "Number of the first model (0)");
  app.add_option("--models", options.models, "How many (5000)");
  app.add_option("--only", options.only, "Only this one");
  app.add_flag("--in-turns", options.in_turns,
               "At one commit a third of them, at the next another (tests/support/turn.h)");
  app.add_option("--zoo", options.zoo, "Folder of models to begin with, beside the corpus")
      ->check(CLI::ExistingDirectory);
  app.add_option("--binary", options.binary, "The tool (the one of this build)")->check(CLI::ExistingFile);
  app.add_option("--keep", options.keep, "Where models that fail are kept (fuzz-kept)");
  app.add_option("--write", options.write, "Only write the models there, and say what was done to them");
  CLI11_PARSE(app, argc, argv);
  return culprit::fuzz::fuzz(options);
}
