#pragma once
// What many orders of the same steps give, as JSON: schema culprit.orders/1 (docs/orders.schema.json). Never decides
// anything.

#include <string>

#include "record/tried_orders.h"

namespace culprit {

/// Written as report.json is (report/json.h).
std::string to_json(const OrdersReport& report);

}  // namespace culprit
