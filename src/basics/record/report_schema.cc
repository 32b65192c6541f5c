#include "record/report_schema.h"

#include <nlohmann/json.hpp>

namespace culprit {

bool is_report(std::string_view text) {
  const auto root = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object() || !root.contains("schema")) return false;
  const auto& schema = root["schema"];
  return schema == report_schema || schema == compare_schema || schema == eval_schema || schema == profile_schema ||
         schema == diagnosis_schema || schema == repair_schema || schema == orders_schema;
}

}  // namespace culprit
