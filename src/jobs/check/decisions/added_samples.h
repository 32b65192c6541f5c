#pragma once
// Further samples of a data set for a reference: those on which a variant decided otherwise. Variants are judged on
// them as on all others, so that what is wrong there is confirmed, localized and reduced.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "data/sample_source.h"
#include "executor/dispatcher.h"
#include "record/data_facts.h"
#include "trial/reference.h"

namespace culprit {

/// A reference, and the place among its samples of those of a data set that were asked for.
struct PlacedSamples {
  Reference reference;
  std::size_t before = 0;                      ///< so many samples stood there already
  std::map<std::int64_t, std::size_t> places;  ///< by number in the data set
};

/// The reference with these samples of the data set, which are read, and on which the original runs at the reference's
/// level. They stand behind its own, but for those that are among its own, byte for byte: these do not join again. What
/// cannot be read or run is left out. `decisive.names` has their names. Samples and outputs lie in the reference's
/// folder, under names that end in `name`. Errors: interrupted, io.
Result<PlacedSamples> with_samples(Dispatcher& dispatcher, Reference reference, const SampleSource& source,
                                   const std::vector<std::int64_t>& numbers, const std::string& name);

/// Says in the facts of the data which samples joined.
void tell_added(const PlacedSamples& placed, DataFacts& facts);

/// Makes a reference of these samples alone, for the original of `like`, as with_samples does.
Result<PlacedSamples> reference_on(Dispatcher& dispatcher, const Reference& like, const SampleSource& source,
                                   const std::vector<std::int64_t>& numbers, const std::string& name);

}  // namespace culprit
