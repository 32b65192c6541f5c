#include "record/variant_record.h"

#include "base/text.h"

namespace culprit {

std::string same_as_text(const VariantRecord& variant) {
  return variant.same_as == SameAs::variant ? variant.same_variant : std::string(name_of(variant.same_as));
}

std::string names_of(const std::vector<LeftOut>& left_out) {
  std::vector<std::string> names;
  names.reserve(left_out.size());
  for (const LeftOut& one : left_out) names.push_back(one.pass);
  return join(names, ", ");
}

}  // namespace culprit
