#pragma once
// A repro of a pair: the region of one fault of a conversion, cut out of both files, with the source's values at its
// borders. Whoever has public packages can run it; a converter's tracker can have it.
//
//   source.onnx, .tflite, .pb  the region of the source, to be converted again; absent where it cannot be cut
//   target.onnx, .tflite, .pb  the region of the target; absent where no layer of the target stands there
//   inputs_source.npz, inputs_target.npz, expected.npz
//   repro.json                 schema culprit.pair-repro/1
//   repro.py, README.md

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "conversion/faults/mendable_faults.h"
#include "conversion/sides/side.h"
#include "executor/executor.h"
#include "judge/judge.h"

namespace culprit {

inline constexpr std::string_view pair_repro_schema = "culprit.pair-repro/1";

/// One of the two networks of a diagnosis.
struct PairSide {
  const Side& side;
  std::vector<std::filesystem::path> samples;  ///< packs by its own names, as many as the other's
  std::string file;                            ///< its name, for people; without folders
};

struct PairReproTools {
  Executor& executor;
  std::filesystem::path work;  ///< made; all in it may go afterwards
  std::string tool_version = {};
  Tolerance tolerance = {};
};

struct PairRepro {
  std::filesystem::path folder;
  std::int64_t source_nodes = 0, target_nodes = 0;  ///< of the files; 0: there is none
  std::string no_source;                            ///< why the source's region is not there; "" where it is
  double largest_difference = 0;                    ///< infinite where the target does not run or gives another shape
};

/// Most nodes of the target that a repro should have; with more it says so.
constexpr std::int64_t most_pair_nodes = 5;

/// Cuts the region of the fault out of both files and writes a folder that shows it, in the place of what is there. Of
/// the samples that one is kept on which the region differs most. Errors: unsupported (the fault has no region, no
/// sample shows it in its region alone, or the folder would be larger than most_repro_bytes), interrupted, io.
Result<PairRepro> write_pair_repro(const MendableFault& fault, const PairSide& source, const PairSide& target,
                                   const PairReproTools& tools, const std::filesystem::path& folder);

/// Could `write_pair_repro` have given a file this name?
bool is_file_of_pair_repro(const std::string& name);

}  // namespace culprit
