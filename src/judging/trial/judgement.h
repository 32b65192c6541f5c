#pragma once
// From outcomes to verdicts: what became of making a variant, and of running it.

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "judge/draw_need.h"
#include "model/interface_binding.h"
#include "record/decisions.h"
#include "record/evidence.h"
#include "trial/known_rounding.h"
#include "trial/reference.h"

namespace culprit {

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::string message;        ///< one line for people; "" where there is nothing to say
  std::string error;          ///< normalized, for the signature
  Evidence evidence;          ///< where no measurement tells
  Measurements measurements;  ///< the worst over the samples
  std::string last_words;
  double seconds_run = 0;
  std::vector<DrawNeed> needs = {};          ///< by sample: how many draws would tell more
  std::vector<int> draws = {};               ///< by sample: so many it was judged by
  std::vector<std::size_t> faulty = {};      ///< samples with a faulty verdict
  std::vector<std::size_t> may_be_own = {};  ///< of these, those on which draws of the variant itself may tell more
  std::optional<WorstSample> decision = {};  ///< of a divergence that the numbers alone are not: what it decides
  std::string finite_instead = {};  ///< of the warning variant_is_finite_where_model_is_not; "" where there is nothing
  std::size_t shown_in = 0;         ///< the first sample that shows a failure; 0 where none does
};

/// A variant that could not be made, or is refused before it runs (checker, interface). nullopt: it can run.
/// `complaint`: what the checker says of the original, "" for nothing; the same said of a variant is no refusal.
std::optional<Judgement> judge_making(const VariantOutcome& outcome, Contract contract, const Reference& reference,
                                      const std::string& complaint);
/// The judgement on an import that failed.
Judgement judge_import(const Failure& failure, const TrialOptions& options);

/// The verdict on a run, its outputs compared with the reference's, sample by sample, as far as so many draws (by
/// sample) explain them by what is known; there are as many samples. `only`: of these outputs; null: of all. A variant
/// under the contract `partition` is loaded only. `decides`: where the reference has decisive samples, another decision
/// on them counts, too.
/// `of_variant`: what draws of the variant itself explain, where it computes by other operators.
Judgement judge_run(const RunOutcome& outcome, const Binding& binding, Contract contract, const Reference& reference,
                    const KnownRounding& known, const std::vector<int>& draws,
                    const std::set<std::string>* only = nullptr, bool decides = true,
                    const VariantRounding* of_variant = nullptr);

/// Outputs in `found` against those in `expected`, sample by sample.
struct Comparison {
  Measurements measurements;                      ///< the worst over the samples
  std::size_t samples = 0;                        ///< compared
  std::vector<std::size_t> faulty = {};           ///< samples with a faulty verdict
  std::vector<std::size_t> may_be_own = {};       ///< of these, those with no fault but what may_be_of_variant
  std::vector<std::size_t> beyond_rounding = {};  ///< samples that differ by more than rounding explains
  std::vector<std::size_t> finite_instead = {};   ///< directed samples: finite where the reference is not
  std::vector<DrawNeed> needs = {};               ///< by sample: how many draws would tell more
  std::string unreadable;                         ///< why a pack could not be read; the rest is then worth nothing
};
/// `positions`: where each expected output stands in `found`; empty: in the same place. Outputs cast by an `interface`
/// pass are cast back. Without `known` every bit counts as a difference; `draws` is by sample, and 0 where there are no
/// more: without draws, only a few units in the last place of the whole are rounding.
Comparison compare(std::span<const std::filesystem::path> expected, std::span<const std::filesystem::path> found,
                   const std::vector<std::size_t>& positions, Contract contract, const TrialOptions& options,
                   const KnownRounding* known = nullptr, const std::vector<int>& draws = {},
                   const std::set<std::string>* only = nullptr, const VariantRounding* of_variant = nullptr);

/// Outputs that are wrong in both a variant and the round trip, `between` the two not: is that all that is wrong with
/// the variant? Never where nothing was measured.
bool wrong_as_round_trip(const Measurements& variant, const Measurements& round_trip, const Measurements& between,
                         bool strict);

/// "output 'y' differs by 0.52 (tolerance 0.00012 + 0.001 x value) on 3 of 3 samples": the worst output. "" if none
/// differs. `what`: another word for the values.
std::string describe(const Comparison& comparison, std::string_view what = "output");

}  // namespace culprit
