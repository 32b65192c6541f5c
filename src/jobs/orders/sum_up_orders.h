#pragma once
// From a variant for each order to what the orders tell: results, swaps that matter, the best order. Pure.

#include <cstddef>
#include <vector>

#include "record/tried_orders.h"
#include "record/variant_record.h"

namespace culprit {

/// One variant for each order, the first order first; of one optimizer, with the same steps. Those with the same
/// fingerprint have one result. So have those that made no model and failed in the same way. `can_judge`: the samples
/// tell right from wrong; else nothing is right. `strict`: what deviates is a fault.
TriedOrders sum_up_orders(const std::vector<VariantRecord>& variants, bool can_judge, bool strict);

/// The one move of a step that makes this order of the first; absent where they are the same, or it takes more.
std::optional<MovedStep> one_move(const std::vector<std::string>& order, const std::vector<std::string>& first);

/// Which result each variant has: places in `results`.
std::vector<std::size_t> results_of_variants(const std::vector<VariantRecord>& variants);

/// The variant that made the example of the best order; absent where there is none.
std::optional<std::size_t> best_variant(const TriedOrders& tried, const std::vector<VariantRecord>& variants);

}  // namespace culprit
