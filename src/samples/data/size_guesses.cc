#include "data/size_guesses.h"

#include <algorithm>
#include <array>
#include <optional>

#include "data/synthesize.h"

namespace culprit {
namespace {

constexpr std::array<std::int64_t, 25> primes = {2,  3,  5,  7,  11, 13, 17, 19, 23, 29, 31, 37, 41,
                                                 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97};
constexpr std::int64_t distinct_primes = 0;  // lengths that are all different primes

/// Sizes by kind. `length` and `past` `distinct_primes`: primes, from `first_prime` on.
struct SizesByKind {
  std::int64_t batch, height, width, sound, length, past;
  std::size_t first_prime = 2;
  std::int64_t more = 0;  ///< added to all but the batch and an empty cache
};

constexpr std::int64_t empty = -1;  // of a past

struct Pair {
  SizesByKind first, other;
};

/// The other sizes differ in all that is open. They are tried one larger at first, so that what is even becomes odd,
/// and where that is refused as they stand here: sides of pictures stay multiples of 32.
constexpr std::array<Pair, 9> pairs = {{
    {{1, 224, 224, 512, distinct_primes, distinct_primes, 2},
     {2, 160, 192, 768, distinct_primes, empty, 2}},                // long enough for most kernels
    {{1, 48, 320, 16000, 16, 16}, {2, 48, 192, 24000, 24, empty}},  // what must agree agrees, and is divisible by 16
    {{1, 64, 64, 1024, 64, 64}, {2, 128, 96, 1536, 96, empty}},
    {{1, 7, 7, 256, distinct_primes, distinct_primes, 0},
     {2, 11, 13, 384, distinct_primes, empty, 0}},  // 2, 3, 5: small tables, few tokens
    {{1, 32, 32, 64, 1, empty}, {2, 64, 96, 96, 1, 3}},
    {{2, 224, 224, 512, 16, 16}, {3, 160, 192, 768, 24, empty}},  // a batch of one is refused now and then
    {{1, 256, 256, 4096, 512, 512}, {2, 320, 384, 6144, 384, empty}},
    {{1, 640, 640, 4096, 128, empty}, {1, 320, 640, 6144, 64, empty}},
    {{1, 32, 320, 48000, 80, 80}, {2, 32, 160, 32000, 48, empty}},
}};

struct OpenDim {
  std::string name;
  DimKind kind;
};

/// Only the first place of `from` is changed.
std::string with_first_replaced(std::string text, std::string_view from, std::string_view to) {
  if (const auto at = text.find(from); at != std::string::npos) text.replace(at, from.size(), to);
  return text;
}

bool is_among(const std::vector<OpenDim>& dims, const std::string& name) {
  return std::ranges::find(dims, name, &OpenDim::name) != dims.end();
}

/// total_sequence_length is past_sequence_length + sequence_length, and what an encoder gave out is as long as what it
/// gives in the same model's inputs.
std::optional<std::string> formula_of(const std::string& name, const std::vector<OpenDim>& dims) {
  if (is_formula(name)) return name;
  const std::string past = with_first_replaced(name, "total_", "past_"), own = with_first_replaced(name, "total_", "");
  if (past != name && is_among(dims, past) && is_among(dims, own)) return past + " + " + own;
  const std::string inner = with_first_replaced(name, "_out", "");
  if (inner != name && name.ends_with("_out") && is_among(dims, inner)) return inner + " + 0";
  return std::nullopt;
}

/// The plain names, each once, in the order of the inputs; a formula's names come where it does.
std::vector<OpenDim> plain_dims(const std::vector<ValueInfo>& inputs) {
  std::vector<OpenDim> dims;
  std::vector<std::pair<std::string, DimKind>> in_formulas;
  const auto add = [&](const std::string& name, DimKind kind) {
    if (!is_among(dims, name)) dims.push_back({name, kind});
  };
  for (const ValueInfo& value : inputs) {
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      if (!is_open(value.dims[axis])) continue;
      const std::string key = dim_key(value, axis);
      if (!is_formula(key)) {
        add(key, kind_of(value, axis));
        continue;
      }
      for (const std::string& name : names_in(key)) {
        ValueInfo part = value;
        part.dims[axis].name = name;
        in_formulas.emplace_back(name, kind_of(part, axis));
      }
    }
  }
  for (const auto& [name, kind] : in_formulas) add(name, kind);
  return dims;
}

std::vector<std::string> all_keys(const std::vector<ValueInfo>& inputs) {
  std::vector<std::string> keys;
  for (const ValueInfo& value : inputs) {
    for (std::size_t axis = 0; axis < value.dims.size(); ++axis) {
      const std::string key = dim_key(value, axis);
      if (is_open(value.dims[axis]) && std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
    }
  }
  return keys;
}

/// What is given, and what follows from it: past = 3 from "past + seq" = 8 and seq = 5.
Sizes followed(const std::vector<std::string>& keys, const std::vector<OpenDim>& dims, Sizes sizes) {
  for (std::size_t round = 0; round < keys.size(); ++round) {
    const std::size_t before = sizes.size();
    for (const std::string& key : keys) {
      const auto formula = formula_of(key, dims);
      if (!formula || !sizes.contains(key)) continue;
      if (const auto solved = solve(*formula, sizes.at(key), sizes)) sizes.insert(*solved);
    }
    if (sizes.size() == before) break;
  }
  return sizes;
}

/// `first`: what it is in the first guess; the next prime is made to be of the other parity. 0: there is none.
std::int64_t length_for(std::int64_t length, std::int64_t more, std::int64_t first, std::size_t& prime) {
  if (length != distinct_primes) return length + more;
  const std::int64_t next = primes[prime++ % primes.size()];
  return first > 0 && next % 2 == first % 2 ? next + 1 : next;
}

std::int64_t size_for(const OpenDim& dim, const SizesByKind& guess, std::int64_t first, std::size_t& prime) {
  switch (dim.kind) {
    case DimKind::batch:
      return guess.batch;
    case DimKind::height:
      return guess.height + guess.more;
    case DimKind::width:
      return guess.width + guess.more;
    case DimKind::sound:
      return guess.sound + guess.more;
    case DimKind::past:
      return guess.past == empty ? 0 : length_for(guess.past, guess.more, first, prime);
    case DimKind::length:
      break;
  }
  return length_for(guess.length, guess.more, first, prime);
}

Sizes sized(const std::vector<std::string>& keys, const std::vector<OpenDim>& dims, const SizesByKind& guess,
            const Sizes& given, const Sizes& first = {}) {
  Sizes sizes = given;
  std::size_t prime = guess.first_prime;
  for (const OpenDim& dim : dims) {
    if (sizes.contains(dim.name) || formula_of(dim.name, dims)) continue;
    const auto before = first.find(dim.name);
    sizes[dim.name] = size_for(dim, guess, before == first.end() ? 0 : before->second, prime);
  }
  for (const std::string& key : keys) {
    if (sizes.contains(key)) continue;
    const auto formula = formula_of(key, dims);
    const auto value = formula ? evaluate(*formula, sizes) : std::nullopt;
    sizes[key] = value.value_or(primes[guess.first_prime % primes.size()]);  // a difference that came out negative
  }
  return sizes;
}

void add_new(std::vector<Sizes>& all, Sizes sizes, const Sizes& first) {
  if (sizes != first && std::ranges::find(all, sizes) == all.end()) all.push_back(std::move(sizes));
}

}  // namespace

std::vector<SizeGuess> guess_sizes(const std::vector<ValueInfo>& inputs, const Sizes& given) {
  const auto keys = all_keys(inputs);
  const auto dims = plain_dims(inputs);
  const Sizes known = followed(keys, dims, given);
  std::vector<SizeGuess> guesses;
  for (const Pair& pair : pairs) {
    SizeGuess guess{sized(keys, dims, pair.first, known), {}};
    if (std::ranges::find(guesses, guess.first, &SizeGuess::first) != guesses.end()) continue;
    const auto add = [&](const SizesByKind& another) {
      add_new(guess.others, sized(keys, dims, another, known, guess.first), guess.first);
    };
    SizesByKind other = pair.other;
    other.first_prime += dims.size();  // none of the first ones again
    other.more = 1;
    add(other);
    other.more = 0;
    add(other);
    other.past = other.past == empty ? pair.first.past : other.past;
    add(other);
    other.batch = pair.first.batch;
    add(other);
    SizesByKind more = pair.first;
    more.batch = pair.other.batch;
    add_new(guess.others, sized(keys, dims, more, known), guess.first);
    guesses.push_back(std::move(guess));
  }
  return guesses;
}

Sizes resized(const std::vector<ValueInfo>& inputs, const Sizes& sizes, const Sizes& changes) {
  const auto keys = all_keys(inputs);
  const auto dims = plain_dims(inputs);
  Sizes plain = changes;
  for (const OpenDim& dim : dims) {
    const auto size = sizes.find(dim.name);
    if (size != sizes.end() && !formula_of(dim.name, dims)) plain.insert(*size);
  }
  return sized(keys, dims, pairs.front().first, plain);
}

std::vector<std::string> names_of_sizes(const std::vector<ValueInfo>& inputs) {
  std::vector<std::string> names = all_keys(inputs);
  for (const OpenDim& dim : plain_dims(inputs)) {
    if (std::ranges::find(names, dim.name) == names.end()) names.push_back(dim.name);
  }
  return names;
}

}  // namespace culprit
