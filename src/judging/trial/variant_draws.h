#pragma once
// Draws of a variant itself, where it computes by other operators than the original: what it makes of large numbers
// that cancel, draws of the original do not show (docs/judging.md, "By other operators").

#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/interface_binding.h"
#include "trial/draw_runs.h"
#include "trial/known_rounding.h"

namespace culprit {

/// So many of each sample. Each element is held against its own only, and a coin falls nine times alike once in 256.
constexpr int variant_draws = 9;

class VariantDraws {
 public:
  VariantDraws(Dispatcher& dispatcher, const Reference& reference, DrawnVariant variant, const Binding& binding);

  /// Draws these samples, and then calls `then`. False where that tells nothing more: the variant computes by the same
  /// operators, or all of them were drawn.
  bool draw(const std::vector<std::size_t>& samples, std::function<void()> then);
  [[nodiscard]] const VariantRounding& known() const { return known_; }

 private:
  /// Samples that are drawn together.
  struct Round {
    std::vector<std::size_t> samples;
    std::function<void()> then;
    std::vector<std::vector<NamedTensor>> unmoved = {};    ///< by sample: what it gives undisturbed
    std::vector<std::map<std::string, Drawn>> drawn = {};  ///< by sample and the original's label
    int owed = variant_draws;
  };
  using RoundPtr = std::shared_ptr<Round>;

  [[nodiscard]] bool computes_otherwise() const;
  void begin(const RoundPtr& round, const RunOutcome& unmoved);
  void take(Round& round, const Draw& draw, const RunOutcome& outcome);
  void finish(Round& round);

  const Reference& reference_;
  const Binding& binding_;
  std::filesystem::path file_;
  Draws draws_;
  VariantRounding known_;
  std::set<std::size_t> asked_;
};

}  // namespace culprit
