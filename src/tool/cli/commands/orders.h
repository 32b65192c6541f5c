#pragma once
// culprit orders MODEL: does the order of the passes matter for this model?

#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct OrdersArguments {
  OrdersRequest request;
  Printing printing;  ///< its `output` stays empty
};

/// As typed; "" where not given.
struct OrdersFlags {
  CheckFlags check;  ///< without `models`, `output.output` and what names passes
  std::string model, out, count;
  std::vector<std::string> steps = {}, accept_weak = {};
};

void add_orders(CommandParser& parser, OrdersFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<OrdersArguments> resolve(const OrdersFlags& flags);

/// Tries many orders, judges each distinct result once, and writes the model of the best order where -o says so.
/// Returns the exit code: 0 where every order that could be judged is right, 1 where one is wrong, 3 where nothing can
/// be judged, or nothing is right that could be written.
int run_orders(const OrdersArguments& arguments, Terminal& terminal);

}  // namespace culprit
