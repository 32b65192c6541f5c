#pragma once
// `orders` as a library: the steps of an optimizer are tried in many orders, what comes of them is judged once each,
// and the model of the best order is put into its place.

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/tried_orders.h"

namespace culprit {

struct OrdersAnswer {
  OrdersReport report;
  RunFolder folder;  ///< whoever asked finishes it with the report
  bool keeps_earlier = false;
};

/// Errors: usage (the optimizer takes no order of its steps; fewer than two steps, an unknown one, or one twice; `out`
/// cannot be it; an output to accept that is none), interrupted, io, internal.
Result<OrdersAnswer> try_orders(const OrdersRequest& request, const Caller& caller);

/// 1 where an order is wrong, 3 where nothing could be judged or the file that was asked for was not written, else 0.
int exit_code_of(const OrdersReport& report);

}  // namespace culprit
