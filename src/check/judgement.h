#pragma once
// From outcomes to verdicts: what became of making a variant, and of running it.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "check/basis.h"
#include "judge/binding.h"

namespace culprit {

struct Judgement {
  Verdict verdict = Verdict::inconclusive;
  std::string message;        ///< one line for people; "" where there is nothing to say
  std::string error;          ///< normalized, for the signature
  Evidence evidence;          ///< where no measurement tells
  Measurements measurements;  ///< the worst over the samples
  std::string last_words;
  double seconds_run = 0;
  /// Samples in which an output of an exact type differs, and no tie explains it; in order.
  std::vector<std::size_t> exact_differences = {};
  std::size_t ties_below = 0;  ///< ties were used in samples below this one
  std::size_t shown_in = 0;    ///< the first sample that shows a failure; 0 where none does
};

/// A variant that could not be made, or is refused before it runs (checker, interface). nullopt: it can run.
std::optional<Judgement> judge_making(const VariantOutcome& outcome, Contract contract, const Basis& basis);
/// The same for the round trip: what it lost and was given back for its variants' sake is its own failure.
std::optional<Judgement> judge_round_trip(const VariantOutcome& outcome, const Basis& basis);
/// The same for an import that failed.
Judgement judge_import(const Failure& failure, const Basis& basis);

/// The verdict on a run, its outputs compared with the reference's: what the noise floor explains is no difference, nor
/// what is a tie, in samples below `ties_below`. A variant under the contract `partition` is loaded only.
Judgement judge_run(const RunOutcome& outcome, const Binding& binding, Contract contract, const Basis& basis,
                    std::size_t ties_below = 0);

/// Outputs in `found` against those in `expected`, sample by sample.
struct Comparison {
  Measurements measurements;                        ///< the worst over the samples
  std::size_t samples = 0;                          ///< compared
  std::size_t faulty = 0;                           ///< samples with a faulty verdict
  std::size_t first_faulty = 0;                     ///< the first of these; 0 where none is
  std::vector<std::size_t> exact_differences = {};  ///< samples in which an exact type differs by no tie, in order
  std::string unreadable;                           ///< why a pack could not be read; the rest is then worth nothing
};
/// `positions`: where each expected output stands in `found`; empty: in the same place. Outputs cast by an `interface`
/// pass are cast back. Without `floors` every bit counts as a difference.
Comparison compare(std::span<const std::filesystem::path> expected, std::span<const std::filesystem::path> found,
                   const std::vector<std::size_t>& positions, Contract contract, const CheckOptions& options,
                   const Floors& floors = {}, std::size_t ties_below = 0);

/// Outputs that are wrong in both a variant and the round trip, `between` the two not: is that all that is wrong with
/// the variant? Never where nothing was measured.
bool wrong_as_round_trip(const Measurements& variant, const Measurements& round_trip, const Measurements& between,
                         bool strict);

/// "output 'y' differs by 0.52 (tolerance 0.00012 + 0.001 x value) on 3 of 3 samples": the worst output. "" if none
/// differs. `what`: another word for the values.
std::string describe(const Comparison& comparison, std::string_view what = "output");

}  // namespace culprit
