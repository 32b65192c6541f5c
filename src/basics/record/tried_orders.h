#pragma once
// What a report of `culprit orders` contains: one field here is one field of its JSON, schema culprit.orders/1.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/environment.h"
#include "record/report.h"

namespace culprit {

/// The first order, with one step moved.
struct MovedStep {
  std::string step;
  std::string after;  ///< the step that is now right in front of it; "": it comes first
  bool operator==(const MovedStep&) const = default;
};

/// What some orders of the same steps make: one model, or one way to fail.
struct OrderResult {
  std::string id;                           ///< "R1": that of the first order
  std::int64_t orders = 0;                  ///< that gave it
  std::vector<std::string> example = {};    ///< of these orders, the one nearest to the first order
  std::int64_t inversions = 0;              ///< of the example: pairs of steps that it has the other way round
  std::optional<MovedStep> moved = {};      ///< that makes the example; absent: it takes more than one move, or none
  std::string fingerprint = {};             ///< 32 hex digits; "" where no model was made
  std::int64_t nodes = 0;                   ///< 0 where no model was made
  Verdict verdict = Verdict::inconclusive;  ///< the worse one of both levels
  std::string level = {};                   ///< of the runtime, where the verdict is of the deploy level; else ""
  std::string message = {};                 ///< one line for people; "" where there is nothing to say
  std::string file = {};                    ///< of the model, relative to the run folder; "" where it was not kept
  bool is_right = false;                    ///< judged on the samples, and no fault
  bool is_wrong = false;                    ///< a fault; neither right nor wrong is what could not be judged
  std::optional<bool> same_bits = {};       ///< its outputs are bit by bit those of the first order; absent: not known
};

/// Two steps, `before` next to `after` in an order that was tried, and swapped in another one.
struct SwappedSteps {
  std::string before, after;  ///< as they stand in the first order
  std::int64_t tried = 0;     ///< pairs of orders that differ in this swap alone
  std::int64_t changed = 0;   ///< of these, those with two results
  std::string result = {};    ///< with `before` before `after`, in the first such pair that changed; "": none did
  std::string swapped = {};   ///< with them swapped
};

struct TriedOrders {
  std::vector<OrderResult> results = {};  ///< in the order in which they came up: that of the first order first
  std::vector<SwappedSteps> swaps = {};   ///< as they stand in the first order; those that were tried
  std::optional<std::size_t> best = {};   ///< of `results`: the fewest nodes, then the nearest; absent: none is right
};

struct OrdersReport {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  ModelReport model;  ///< of which `variants` has one for each order
  std::string optimizer;
  std::vector<std::string> steps;  ///< in the first order
  bool is_bundle = false;          ///< the first order is the optimizer's own
  std::uint64_t seed = 0;
  std::int64_t orders = 0;  ///< tried
  bool all_orders = false;  ///< there are no others
  TriedOrders tried;
  std::string out = {};          ///< the file of the best order; "" where none was written
  std::string why_not = {};      ///< why one that was asked for was not written
  std::int64_t verified_on = 0;  ///< samples that the written file ran on
  double seconds = 0;
};

}  // namespace culprit
