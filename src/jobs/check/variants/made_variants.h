#pragma once
// The first phase of a check's variants: making. It knows nothing of samples or verdicts, so it goes on while these are
// still found out. What is made is kept until somebody takes it.

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "check/variants/variant.h"

namespace culprit {

using OnPlaces = std::function<void(const std::vector<Place>&)>;
using OnMadeVariant = std::function<void(Variant&)>;

class MadeVariants {
 public:
  explicit MadeVariants(VariantSetting setting);
  MadeVariants(const MadeVariants&) = delete;
  MadeVariants& operator=(const MadeVariants&) = delete;

  /// Makes the round trip and then these, and calls `made` when that is done and the import went well. `scanned`, if
  /// any, is called once with the places where passes would fire, before `made`; with none where the import failed.
  /// Once for each check.
  void make(std::vector<PlannedVariant> plan, std::function<void()> made = {}, const OnPlaces& scanned = {});
  /// More variants, in a job of their own. Returns the number of the first. What a session of the runtime makes is not
  /// saved for a search: only run.
  std::size_t add(std::vector<PlannedVariant> plan);
  /// What a search made becomes one of the plan, made for this reason; others stay as they are. What was only run is
  /// made now.
  void keep(std::size_t variant, const std::string& reason, const std::string& made_as);
  /// From now on `take` is given each variant once: those that were made so far, and then each as it comes.
  void hand_to(OnMadeVariant take);

  [[nodiscard]] const VariantSetting& setting() const { return setting_; }
  [[nodiscard]] const ImportOutcome& import() const { return import_; }
  [[nodiscard]] const Variant& round_trip() const { return round_trip_; }
  [[nodiscard]] Variant& round_trip() { return round_trip_; }
  /// The planned ones in the order of the plan, without the round trip. References stay valid.
  [[nodiscard]] const std::deque<Variant>& all() const { return all_; }

 private:
  /// What one job is asked for, and how much of it has not come.
  struct Asked {
    std::size_t first = 0;  ///< of `all_`
    bool with_round_trip = false;
    std::function<void()> made;  ///< called when all of it has come
    std::size_t to_be_made = 0;
  };

  void ask_for(Asked asked, const OnPlaces& scanned);
  void begin_in_session(const std::vector<std::size_t>& numbers);
  void make_late(Variant& variant);
  void imported(const ImportOutcome& outcome, const Asked& asked, const OnPlaces& scanned);
  void arrived(Variant& variant, const VariantOutcome& outcome);
  [[nodiscard]] std::vector<std::size_t> order_from(std::size_t first) const;

  const VariantSetting setting_;
  ImportOutcome import_;
  Variant round_trip_;
  std::deque<Variant> all_;
  std::vector<Variant*> not_taken_;
  OnMadeVariant take_;
};

/// How much it matters where time is short, by what it is for.
Priority priority_of(const PlannedVariant& plan);

}  // namespace culprit
