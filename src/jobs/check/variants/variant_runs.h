#pragma once
// The second phase of a check's variants: judging. Those that mean the same are shared, and each distinct one is run
// once, in whatever order they arrive, and with the same result.

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/variants/distinct_variant.h"
#include "check/variants/made_variants.h"
#include "trial/judging.h"

namespace culprit {

/// Runs and judges at once what was made so far, and then what is still to come. What came of it is told by
/// ConfirmedVariants, when all is answered.
class VariantRuns {
 public:
  /// Both outlive this. `needed`: a look at a data set found what speaks against this variant; it and the round trip
  /// are run and judged whatever the time.
  VariantRuns(MadeVariants& made, Judging& by, std::optional<std::size_t> needed = {});
  VariantRuns(const VariantRuns&) = delete;
  VariantRuns& operator=(const VariantRuns&) = delete;

  [[nodiscard]] MadeVariants& made() const { return made_; }
  [[nodiscard]] Judging& by() const { return by_; }
  /// What was run of a variant; null where its result, if it has one, is no run's.
  [[nodiscard]] const DistinctVariant* run_of(const Variant& variant) const;
  /// The round trip as the optimizer exports it (check/variants/exported_round_trip.h); null where that is the same.
  [[nodiscard]] const DistinctVariant* exported() const { return exported_.get(); }
  /// What the optimizer or the checker refuses. What runs in a session is judged there alone, for not being saved is no
  /// fault, and what cannot be loaded fails there as well.
  [[nodiscard]] std::optional<Judgement> refusal_of(const Variant& variant) const;
  /// For outputs: one that nobody else has.
  [[nodiscard]] std::filesystem::path new_folder();

 private:
  using Key = std::pair<Hash128, Contract>;

  [[nodiscard]] static Key key_of(const Variant& variant);
  [[nodiscard]] RunnablePtr runnable_of(const Variant& variant) const;
  void arrived(Variant& variant);
  void settle(Variant& variant);
  [[nodiscard]] SameAs same_as_of(const Variant& variant) const;
  void run(const Variant& variant, DistinctVariant& distinct);
  void judged(DistinctVariant& distinct);
  void deploy(const DistinctVariant& distinct);
  void run_saved(const DistinctVariant& distinct);
  void compare_with_round_trip(DistinctVariant& distinct);
  void decided(const Variant& variant);
  [[nodiscard]] bool is_the_trip(const Variant& variant) const { return &variant == &made_.round_trip(); }
  [[nodiscard]] Priority rank_of(const Variant& variant) const;
  [[nodiscard]] bool faulty(const VariantResult& result) const;

  MadeVariants& made_;
  const VariantSetting& setting_;
  Judging& by_;
  const std::optional<std::size_t> needed_;
  std::map<Key, std::unique_ptr<DistinctVariant>> distinct_;
  std::unique_ptr<DistinctVariant> exported_;
  std::map<Key, std::shared_ptr<VariantResult>> refused_;  // made, but not fit to run
  std::vector<Variant*> waiting_;                          // until the round trip is there
  std::size_t decided_ = 0;
  std::size_t folders_ = 0;
};

}  // namespace culprit
