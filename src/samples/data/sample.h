#pragma once
// Samples: sets of named input values. `data` proposes them; whether a model takes them, `check` tries.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "model/model.h"
#include "record/data_facts.h"
#include "record/warning.h"
#include "tensor/tensor.h"

namespace culprit {

struct Sample {
  std::string name;  ///< "test_data_set_0", "seed 1 #0"
  std::vector<NamedTensor> inputs;
};

/// One way of feeding a model, with the choices that were made.
struct Proposal {
  DataFacts facts;
  std::vector<Sample> samples;  ///< that were given; those that are drawn are made one by one when they are asked for
  std::string description;      ///< "random inputs, batch=1, sequence=7", for the message when the model refuses it
  std::vector<Warning> warnings = {};  ///< what was found and not used: test_data_ignored, fewer_samples
  std::size_t redraws = 0;             ///< how many other ways of drawing these samples there are; 0 for given ones
  /// Draws them in that way: another seed and other ranges of plain values, the same sizes. Empty where `redraws` is 0.
  std::function<Result<Proposal>(std::size_t way)> redraw = {};

  std::int64_t drawn = 0;  ///< how many samples are drawn, behind those that were given
  /// ErrorKind::interrupted where it was stopped.
  std::function<Result<Sample>(std::int64_t index, const Stop& stop)> draw = {};
  std::int64_t further =
      0;  ///< may be drawn behind these; each is left out where the model refuses it (data/branch_samples.h)
  std::vector<std::string> further_words = {};  ///< of each: "length=41, words that the model knows in 'language'"
  /// The first sample is that of the proposal before: without a point where that one did not run.
  bool begins_as_before = false;
  /// Makes the proposal without zeros, tiny and large numbers, for models that answer those with NaN or infinities; may
  /// be empty.
  std::function<Proposal()> plain = {};

  [[nodiscard]] std::size_t size() const { return samples.size() + static_cast<std::size_t>(drawn); }
  [[nodiscard]] Result<Sample> sample(std::size_t number, const Stop& stop = {}) const;
};

/// What there is for samples, in bytes; 0: not known.
struct Room {
  std::uint64_t memory = 0;
  std::uint64_t disk = 0;
};

/// What the command line says about data.
struct DataOptions {
  /// --data: a folder of test_data_set_N, one such folder, an .npz, a folder of .npz, a folder of pictures
  std::filesystem::path data = {};
  std::string preprocess = {};                    ///< --preprocess: of pictures (data/sets/picture_source.h)
  std::vector<std::string> inputs = {};           ///< --input NAME=VALUE|FILE
  std::map<std::string, std::int64_t> dims = {};  ///< --dim NAME=N; a dimension without a name is INPUT.AXIS, "state.1"
  /// --samples; 0: all that are there, 10 pictures, or `made_up`. Only the synthesizer makes more.
  std::int64_t samples = 0;
  std::int64_t made_up = 3;  ///< samples that the synthesizer makes where --samples does not say how many
  std::uint64_t seed = 0;
  std::int64_t generate = 0;  ///< --generate: tokens that a model of language is to say; 0: none
  Room room = {};             ///< samples that are made must fit in
  /// A model that should do the same: what only one of the two asks for is fed as well (data/reach.h). May be nullptr;
  /// must outlive the call that it is given to.
  const Model* held_against = nullptr;
};

/// Proposals in the order in which they should be tried; never empty on success. Uses, in this order: --data,
/// test_data_set_* beside the model (only if they fit the model's inputs), a synthesizer. --input overrides single
/// inputs everywhere. Several proposals come from the synthesizer only: other sizes for symbolic dimensions, other
/// values for integers. Its samples are drawn when they are asked for, each alike however often.
Result<std::vector<Proposal>> propose(const Model& model, const DataOptions& options);

/// A folder test_data_set_N: input_0.pb, input_1.pb ... By the names in the files where all are the model's, else in
/// the order of the model's inputs (true ones only, or true ones and then those with a default). Types and shapes must
/// fit.
Result<Sample> read_test_data_set(const std::filesystem::path& folder, const Interface& interface);

/// Parses one --input: NAME=FILE (.npy, .pb, .npz member by name) or NAME=VALUE (a number, or numbers in brackets,
/// nested or flat: [1,2,3]; text for string inputs), shaped to the declaration with `dims`. A single value fills the
/// whole shape, in which open dimensions are 1; a flat list is laid out in the declared shape, at most one open
/// dimension following from its length.
Result<NamedTensor> parse_input(const std::string& argument, const Interface& interface,
                                const std::map<std::string, std::int64_t>& dims);

/// The file that one --input names; nothing where it gives a value.
std::optional<std::filesystem::path> file_of_input(const std::string& argument);

/// Reads an argument for every kind of input, in parts (tensor/structured_value.h). A sequence is given as an .npz with
/// the members 0, 1, ... (or arr_0, arr_1, ... as numpy.savez names them), a map as one with `keys` and `values`. All
/// three kinds may be a .pb, too; an optional that is absent is the word none.
Result<std::vector<NamedTensor>> parse_input_parts(const std::string& argument, const Interface& interface,
                                                   const std::map<std::string, std::int64_t>& dims);

}  // namespace culprit
