#pragma once
// Seeded input values from what the interface tells, and what the graph tells through rules. The same on every machine.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "data/sample.h"
#include "data/value_rules.h"

namespace culprit {

/// How the synthesizer fills in what the interface leaves open.
struct SynthesisPlan {
  std::map<std::string, std::int64_t> dims = {};    ///< sizes of open dimensions by `dim_key`; one name has one size
  std::int64_t unnamed_dim = 1;                     ///< size of a dimension without value and name
  std::int64_t integer_low = 0;                     ///< integers are drawn from here
  std::int64_t integer_high = 1;                    ///< to here, both included
  double float_scale = 1;                           ///< floats are standard normal times this
  std::map<std::string, std::int64_t> values = {};  ///< integer inputs that are all one number: {"sr", 16000}
  std::size_t way = 0;                          ///< of filling in sequences and optionals (data/random_structures.h)
  std::map<std::string, Tensor> map_keys = {};  ///< by input (model/map_keys.h)
  Rules rules = {};                             ///< of inputs of which more is known than their type
  /// From the second sample on a few floats are zeros of either sign or tiny, from the third a few are large as well;
  /// and where a rule names several numbers, samples take turns.
  bool is_varied = true;
};

/// A way of filling in, and other sizes that every second sample may have, to be tried in this order.
struct LikelyPlan {
  SynthesisPlan plan;
  std::vector<Sizes> other_sizes = {};
};

/// Is the size of this axis left open: a name, nothing, or a negative number (which some exporters write)?
bool is_open(const Dim& dim);
/// How the size of an open dimension is named in plans, reports and --dim: its name, or "<input>.<axis>".
std::string dim_key(const ValueInfo& value, std::size_t axis);
/// The declared shape with open dimensions filled in. Errors: the rank is not known (ErrorKind::unsupported).
Result<Shape> shape_for(const ValueInfo& value, const SynthesisPlan& plan);

/// Ways of filling in what `interface` leaves open, the likeliest first, at most `limit`, never none. Sizes as of
/// guess_sizes. Integers without a rule: 0 and 1, all 0, 1 and 2; an input named like a sampling rate: 16000, 8000.
/// What `given` holds is kept.
std::vector<LikelyPlan> likely_plans(const Interface& interface, const SynthesisPlan& given, std::size_t limit);
/// "batch=1, sequence=7, floats x 4, integers 0..1, sr=16000"
std::string describe(const SynthesisPlan& plan, const Interface& interface);
/// What was chosen for inputs of which more than the type is known, and why: "input_ids: 0..49999, rows of 'wte'
/// (Gather)".
std::vector<std::string> choices_of(const SynthesisPlan& plan, const Interface& interface);

/// Bytes of memory that the elements of an input take while they are drawn: integers are drawn as 64-bit ones, halves
/// as floats, and each text takes its own. No size of a file is believed: beyond 2^50 elements it is the largest
/// number.
std::uint64_t bytes_while_drawn(DType dtype, std::int64_t count);

/// Can all of it be made up? Tensors of unknown rank, sparse tensors and inputs over 4 GiB (of texts, in memory):
/// ErrorKind::unsupported, naming the input and --input. Draws nothing.
Result<void> can_synthesize(const Interface& interface, const SynthesisPlan& plan);

/// By rule where there is one. Else floats are standard normal (Irwin-Hall) times `float_scale`, or look like pictures
/// or sounds where their shape does; integers are uniform in the plan's range, but 8-bit ones of rank 3 and more
/// (pictures) in the range of their type; bools are fair, strings short words. An input's values depend on its name,
/// `seed` and `index`, not on the other inputs; but where a mask of the same shape leaves out a place, indices are 0.
/// Sequences, maps and optionals: data/random_structures.h. Errors as of can_synthesize, and
/// ErrorKind::interrupted where it was stopped.
Result<Sample> synthesize(const Interface& interface, const SynthesisPlan& plan, std::uint64_t seed, std::int64_t index,
                          const Stop& stop = {});

}  // namespace culprit
