// `make mutation`: mistakes of every kind, at seeded places, in the twin of every model of the zoo. Ends with 1 where
// an observable mistake was not found, or too many cannot be observed.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <map>

#include "mutation/experiment.h"
#include "runtime/find_library.h"
#include "runtime/open_runner.h"
#include "support/tool.h"
#include "support/twin.h"

namespace culprit::testing {
namespace {

/// Of those planted, at most this share may be such that nobody can see them.
constexpr double most_unobservable = 0.05;

struct Tally {
  std::size_t planted = 0, unobservable = 0, missed = 0;
  std::int64_t asked = 0;
  double seconds = 0;

  void add(const Experiment& experiment) {
    ++planted;
    unobservable += experiment.observable ? 0 : 1;
    missed += experiment.observable && !experiment.found ? 1 : 0;
    asked += experiment.asked;
    seconds += experiment.seconds;
  }
};

std::vector<fs::path> models_of(const fs::path& zoo, const std::vector<std::string>& wanted) {
  std::vector<fs::path> models;
  for (const auto& entry : fs::directory_iterator(zoo)) {
    const bool is_wanted = wanted.empty() || std::ranges::find(wanted, entry.path().stem().string()) != wanted.end();
    if (entry.path().extension() == ".onnx" && is_wanted) models.push_back(entry.path());
  }
  std::ranges::sort(models, {}, [](const fs::path& model) { return fs::file_size(model); });
  return models;
}

void run_on(const fs::path& model, Runner& runner, std::uint64_t seeds, Tally& tally) {
  const TemporaryFolder folder = scratch();
  Subject subject(make_twin(model, folder.path()), runner);
  for (const Mistake& mistake : mistakes()) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const auto experiment = subject.plant(mistake.kind, seed, CULPRIT_MUTATION_BINARY);
      if (!experiment) break;
      tally.add(*experiment);
      fmt::print("{}\n", experiment->line());
      std::fflush(stdout);
    }
  }
}

int run(const fs::path& zoo, const std::vector<std::string>& wanted, std::uint64_t seeds) {
  const auto library = find_onnxruntime("");
  const auto runner =
      library ? open_onnxruntime(*library) : Result<std::unique_ptr<Runner>>(tl::unexpected(library.error()));
  if (!runner) return fmt::print(stderr, "mutation: {}\n", runner.error().text()), 2;
  Tally tally;
  for (const fs::path& model : models_of(zoo, wanted)) {
    try {
      run_on(model, **runner, seeds, tally);
    } catch (const std::exception& error) {
      fmt::print("{}: left out: {}\n", model.stem().string(), error.what());
    }
  }
  fmt::print("{} mistakes planted, {} not observable, {} found, {} missed; {} questions, {:.0f} s\n", tally.planted,
             tally.unobservable, tally.planted - tally.unobservable - tally.missed, tally.missed, tally.asked,
             tally.seconds);
  const bool few = static_cast<double>(tally.unobservable) <= most_unobservable * static_cast<double>(tally.planted);
  return tally.planted > 0 && tally.missed == 0 && few ? 0 : 1;
}

}  // namespace
}  // namespace culprit::testing

int main(int argc, char** argv) {
  using culprit::testing::zoo;
  CLI::App app("Plants mistakes in the twins of the zoo, and counts those that the tool finds.");
  std::filesystem::path folder;
  std::vector<std::string> models;
  std::uint64_t seeds = 3;
  app.add_option("--zoo", folder, "Folder of models");
  app.add_option("--models", models, "These alone, without .onnx")->delimiter(',');
  app.add_option("--seeds", seeds, "Places of each kind and model");
  CLI11_PARSE(app, argc, argv);
  if (folder.empty()) folder = zoo() / "models";
  return culprit::testing::run(folder, models, seeds);
}
