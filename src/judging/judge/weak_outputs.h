#pragma once
// Which outputs of the reference say nothing? A variant that agrees in an output that is always the same number is not
// shown to be right: weak data are the largest danger of a false "all well" (docs/inputs.md).

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/hash.h"
#include "record/data_facts.h"
#include "tensor/tensor.h"

namespace culprit {

/// Is fed the reference's samples and outputs one after the other, and keeps none of them. An output is weak if it is
///  - empty in all samples;
///  - NaN or infinite in all elements;
///  - one value in all elements of all samples (two elements or more: a single number may be the whole answer); floats
///    that lie within 8 eps of each other are one value, as they are to the noise floor;
///  - the same in all samples, bit for bit, though two samples differ;
/// and a floating output also if it is saturated:
///  - of 8 elements or more, every row along the last axis is exactly one-hot: a softmax at its end;
///  - of 16 elements or more, 99.9 % lie exactly on the smallest or the largest of them, and at most 1/16 on the rarer
///  of
///    the two: a sigmoid or a clip at its end. Where both ends are common (a mask) they tell as much as truth values
///    do.
/// Outputs that are no tensors are looked at part by part (tensor/structured_value.h). Their form (length, presence,
/// keys that stay the same) says nothing and is not held against them; such an output of which no sample holds anything
/// is weak. Without samples that differ (a model without inputs, a single sample) only the elements of an output can be
/// held against each other; a single element of a single sample is never weak.
class WeaknessWatch {
 public:
  void add(std::span<const NamedTensor> inputs, std::span<const NamedTensor> outputs);

  /// In the order of the outputs; one plain clause for each: "2.5 in all elements of all samples".
  [[nodiscard]] std::vector<WeakOutput> weak() const;
  /// Outputs of which a part is NaN, and the rest is not: "NaN in 4 of 12 elements".
  [[nodiscard]] std::vector<WeakOutput> partly_nan() const;
  [[nodiscard]] std::size_t outputs() const;  ///< parts that can say something
  /// There are outputs, and each is weak.
  [[nodiscard]] bool says_nothing() const { return outputs() > 0 && weak().size() == outputs(); }

 private:
  /// What was seen of one output. Numbers are doubles here: only floats are held against their extremes.
  struct Seen {
    std::string name;            ///< its label
    std::string value;           ///< the output that it is a part of
    bool is_form = false;        ///< a length, a presence
    std::int64_t samples = 0;    ///< that have it
    bool inputs_differ = false;  ///< of those
    bool is_float = false;
    bool is_uniform = true;  ///< of exact types: the same bits in every element
    bool repeats = true;     ///< each sample's bits are the first one's
    bool is_one_hot = true;  ///< every row so far
    std::int64_t elements = 0, nans = 0, infinite = 0;
    double eps = 0;            ///< of its type
    double low = 0, high = 0;  ///< of the finite elements
    std::int64_t at_low = 0, at_high = 0;
    std::string first;  ///< the first element, as text
    Hash128 first_bits, first_sample, first_inputs;
  };

  Seen& seen_of(const std::string& label, const NamedTensor& part);
  static void look_at(Seen& seen, const Tensor& value, const Hash128& inputs);
  static void look_at_numbers(Seen& seen, const Tensor& value);
  [[nodiscard]] static bool is_constant(const Seen& seen);
  [[nodiscard]] std::string reason(const Seen& seen) const;
  [[nodiscard]] static std::string saturation(const Seen& seen);

  [[nodiscard]] bool counts(const Seen& seen) const;

  std::vector<Seen> seen_;                    // in the order in which they came
  std::map<std::string, std::size_t> where_;  // in it, by label
  std::int64_t samples_ = 0;
};

}  // namespace culprit
