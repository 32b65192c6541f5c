#include "record/variant_record.h"

namespace culprit {

std::string same_as_text(const VariantRecord& variant) {
  return variant.same_as == SameAs::variant ? variant.same_variant : std::string(name_of(variant.same_as));
}

}  // namespace culprit
