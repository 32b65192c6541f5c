#pragma once
// What directed samples were aimed at, in words, where they alone show something.

#include <string>

#include "trial/judgement.h"
#include "trial/reference.h"

namespace culprit {

/// "sample 2, aimed at large values into 's' (fuse_x)": of these samples the first, and how many more; "" where one of
/// them is plain, or there are none.
std::string aimed_at(const std::vector<std::size_t>& samples, const Reference& reference);

/// The message of the warning `variant_is_finite_where_model_is_not`, of the output with most such elements; "" where
/// there is none.
std::string finite_instead_text(const Comparison& comparison, const Reference& reference);

}  // namespace culprit
