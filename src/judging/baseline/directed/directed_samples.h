#pragma once
// Directed samples: some of the samples that were made up are replaced by others that hit the places where passes would
// fire (docs/inputs.md).

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "baseline/directed/candidate_samples.h"
#include "baseline/directed/value_patterns.h"
#include "executor/dispatcher.h"
#include "record/data_facts.h"
#include "trial/reference.h"

namespace culprit {

/// Of so many samples, the first that always stay as they are: half of them, rounded up. Further ones stay as well.
constexpr std::size_t plain_of(std::size_t samples) { return (samples + 1) / 2; }

/// What became of it.
struct DirectedSamples {
  std::vector<Direction> directions;  ///< at most 10
  std::size_t samples = 0;            ///< that were directed
};

/// Runs min(M, 8) candidates once, with the values at the places exposed where the model is small, and puts those that
/// vary them most in the place of the last samples: sample 0 and at least half of them stay plain. Nothing
/// is run where no place wants anything. Where a place is in a body, all samples are run before, to see which of them
/// come there: these are varied.
class Directed {
 public:
  using Then = std::function<void(DirectedSamples, Reference)>;

  /// `seed`: of the samples.
  Directed(Dispatcher& dispatcher, Reference plain, std::uint64_t seed)
      : dispatcher_(dispatcher), reference_(std::move(plain)), seed_(seed) {}
  Directed(const Directed&) = delete;
  Directed& operator=(const Directed&) = delete;

  /// Made-up samples only, more than one, of a model that is there.
  [[nodiscard]] static bool possible(const Reference& reference, const DataFacts& data);

  /// `then` is given the reference with the final samples: the plain one where nothing was directed. Must outlive the
  /// work.
  void start(std::span<const Place> places, Then then);

 private:
  using Pack = std::vector<NamedTensor>;

  /// A value that something is wished for, at a place that may be inside of a body (as in `Want`).
  struct Watched {
    std::string value, inside;
    bool operator==(const Watched&) const = default;
  };
  enum class Reading { above, inside };  ///< values of the top graph only, or those of bodies as well

  [[nodiscard]] std::size_t replaceable() const;
  void go_on();
  bool make();
  bool write_candidates();
  void know_plain_samples();
  void run_from(std::size_t first);
  void take(const RunOutcome& outcome, std::size_t first, bool with_plain);
  void without_values();
  void take_candidate(std::size_t number, const std::filesystem::path& output);
  [[nodiscard]] bool is_sound(const Candidate& candidate, const Pack& outputs) const;
  bool add_scaled();
  [[nodiscard]] std::filesystem::path new_folder();

  // read_values.cc
  [[nodiscard]] std::size_t number_of(const Want& want) const;
  [[nodiscard]] const std::string& output_of(const std::string& value) const;
  [[nodiscard]] bool came_to(const std::string& inside, const Pack& outputs) const;
  [[nodiscard]] Patterns patterns_in(const Pack& inputs, const Pack& outputs) const;
  [[nodiscard]] std::vector<std::string> values_to_read(Reading reading) const;
  bool expose_values(Reading reading);
  [[nodiscard]] bool is_disturbed(std::size_t sample, const std::filesystem::path& output) const;
  bool take_plain(const std::filesystem::path& output);
  void stop_reading();
  void survey();
  void take_survey(const std::vector<std::filesystem::path>& outputs);

  // choose_samples.cc
  void choose();
  void run_chosen(const std::vector<std::size_t>& chosen);
  void replace(const std::vector<std::size_t>& chosen, const std::vector<std::filesystem::path>& outputs);
  void tell(const std::vector<std::size_t>& chosen);
  void finish();

  Dispatcher& dispatcher_;
  Reference reference_;  ///< the plain one, and then with what was chosen
  std::uint64_t seed_;
  Then then_;
  std::filesystem::path folder_;
  std::vector<Want> wants_;
  std::vector<Watched> watched_;                 ///< each once
  std::vector<std::string> values_;              ///< that are exposed; empty: outputs only
  std::map<std::string, std::string> read_as_;   ///< of these, the outputs
  std::vector<std::filesystem::path> surveyed_;  ///< by sample, with the values that are exposed
  std::vector<std::size_t> bases_;               ///< samples that are varied
  std::vector<Candidate> candidates_;
  std::vector<std::filesystem::path> packs_;             ///< of the candidates
  std::vector<std::optional<Patterns>> patterns_;        ///< by candidate; nothing of those that are not taken
  std::vector<std::filesystem::path> outputs_;           ///< by candidate; "" where it did not run
  std::filesystem::path plain_, plain_output_;           ///< a sample, with the values that are exposed
  bool is_scaled_ = false;                               ///< candidates were scaled; they are once
  Patterns known_;                                       ///< of the samples that stay
  std::map<std::string, std::int64_t> most_not_finite_;  ///< in a plain sample, by output
  DirectedSamples result_;
  std::size_t folders_ = 0;
};

}  // namespace culprit
