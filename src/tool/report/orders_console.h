#pragma once
// What a person reads on the terminal after `culprit orders`.

#include <string>

#include "record/tried_orders.h"
#include "report/console.h"

namespace culprit {

/// A line with the outcome, a table of the results, what is wrong with those that are wrong, the swaps that matter and
/// the best order. With `verbose` an example of each result.
std::string to_console(const OrdersReport& report, const ConsoleStyle& style, const std::string& run_folder);

}  // namespace culprit
