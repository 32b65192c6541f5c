#include "fuzz/mutant.h"

#include <algorithm>

#include "base/file.h"
#include "fuzz/mutation.h"
#include "support/corpus_case.h"

namespace culprit::fuzz {
namespace {

constexpr std::uint64_t largest_seed = 300'000;  // bytes

Result<void> add_corpus(std::vector<Seed>& seeds) {
  for (const char* room : {"baselines", "clean", "deployed", "faults", "interactions"}) {
    for (const fs::path& file : testing::corpus_files(room)) {
      const auto corpus_case = testing::read_corpus_case(file);
      if (!corpus_case) return tl::unexpected(corpus_case.error());
      auto model = testing::model_of(*corpus_case);
      if (!model) return tl::unexpected(model.error());
      seeds.push_back({std::string(room) + "/" + corpus_case->name, std::move(*model)});
    }
  }
  return {};
}

Result<void> add_folder(const fs::path& folder, std::vector<Seed>& seeds) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".onnx" && entry.file_size() <= largest_seed) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    const auto bytes = read_file(file);
    if (!bytes) return tl::unexpected(bytes.error());
    Seed seed{file.stem(), {}};
    if (seed.model.ParseFromString(*bytes)) seeds.push_back(std::move(seed));
  }
  return {};
}

/// The next mutation that finds something to change.
std::string mutate(const EditableModel& work, const std::vector<Mutation>& mutations) {
  constexpr int most_tries = 20;
  for (int i = 0; i < most_tries; ++i) {
    const Mutation& mutation = one_of(mutations, work);
    if (mutation.apply(work)) return mutation.kind;
  }
  return "none that fits";
}

}  // namespace

std::vector<Mutation> all_mutations() {
  std::vector<Mutation> all;
  for (const auto& some : {node_mutations(), attribute_mutations(), type_mutations(), tensor_mutations(),
                           nesting_mutations(), header_mutations(), field_mutations()})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

Result<std::vector<Seed>> read_seeds(const fs::path& folder) {
  std::vector<Seed> seeds;
  if (const auto added = add_corpus(seeds); !added) return tl::unexpected(added.error());
  if (folder.empty()) return seeds;
  if (const auto added = add_folder(folder, seeds); !added) return tl::unexpected(added.error());
  return seeds;
}

Mutant make_mutant(const std::vector<Seed>& seeds, std::uint64_t seed, std::size_t index) {
  Random random(seed, "mutant " + std::to_string(index));
  const auto last = static_cast<std::int64_t>(seeds.size()) - 1;
  const Seed& from = seeds[static_cast<std::size_t>(random.between(0, last))];
  onnx::ModelProto model = from.model;
  Mutant mutant{"", from.name, from.model.SerializePartialAsString(), {}};
  constexpr double only_bytes = 0.08, also_bytes = 0.04, another = 0.4;
  constexpr std::size_t most_changes = 4;
  const double way = random.uniform();
  if (way >= only_bytes) {
    const auto mutations = all_mutations();
    do {
      mutant.kinds.push_back(mutate({model, random, seeds}, mutations));
    } while (mutant.kinds.size() < most_changes && random.uniform() < another);
  }
  mutant.bytes = model.SerializePartialAsString();
  if (way < only_bytes + also_bytes && !mutant.bytes.empty()) {
    const auto mutations = byte_mutations();
    const auto chosen = random.between(0, static_cast<std::int64_t>(mutations.size()) - 1);
    const ByteMutation& mutation = mutations[static_cast<std::size_t>(chosen)];
    mutation.apply(mutant.bytes, random);
    mutant.kinds.emplace_back(mutation.kind);
  }
  return mutant;
}

}  // namespace culprit::fuzz
