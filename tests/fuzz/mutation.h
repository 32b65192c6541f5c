#pragma once
// One way to spoil a model. Each knows what its field means, so that what comes out is often accepted by one reader of
// models and refused, believed or misunderstood by the next.

#include <string>
#include <vector>

#include "fuzz/editable_model.h"

namespace culprit::fuzz {

struct Mutation {
  const char* kind;                          ///< for the figures
  bool (*apply)(const EditableModel& work);  ///< false: the model has nothing of the sort
};

std::vector<Mutation> node_mutations();
std::vector<Mutation> attribute_mutations();
std::vector<Mutation> type_mutations();
std::vector<Mutation> tensor_mutations();
std::vector<Mutation> nesting_mutations();
std::vector<Mutation> header_mutations();
std::vector<Mutation> field_mutations();  ///< of any field there is, by protobuf's reflection

/// All of the above.
std::vector<Mutation> all_mutations();

/// One way to spoil the serialized form.
struct ByteMutation {
  const char* kind;
  void (*apply)(std::string& bytes, Random& random);  ///< `bytes` is not empty
};
std::vector<ByteMutation> byte_mutations();

}  // namespace culprit::fuzz
