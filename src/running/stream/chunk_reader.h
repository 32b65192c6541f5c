#pragma once
// Reads samples ahead, in order and in chunks: each is read, decoded and written as a pack in a fork of this process,
// so a file that crashes its decoder costs one sample. Memory and disk hold a few chunks, however many samples there
// are.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/sample_source.h"
#include "process/failure.h"
#include "tensor/pack_bundle.h"

namespace culprit {

/// A sample that could not be read.
struct SkippedSample {
  std::int64_t number = 0;
  std::string name;
  std::string reason;
};

/// Samples that lie on the disk. Whoever has used them removes the folder.
struct SampleChunk {
  std::filesystem::path folder;
  std::vector<std::int64_t> numbers;   ///< of those that could be read, in the order of reading
  std::vector<PackPlace> packs;        ///< of these
  std::vector<SkippedSample> skipped;  ///< the others, in the order of reading
  std::uint64_t bytes = 0;             ///< of all packs, about
};

/// The files of a chunk whose samples have one each.
std::vector<std::filesystem::path> files_of(const SampleChunk& chunk);

struct ReadingOptions {
  std::size_t samples_per_chunk = 64;
  std::size_t first_chunk = 0;   ///< samples of the first one, from which much is learnt; 0: as many as any other has
  std::size_t ahead = 2;         ///< chunks that are made before they are asked for, at most
  std::size_t processes = 2;     ///< that read
  Limits each_sample;            ///< CPU time, and memory of a process
  std::filesystem::path folder;  ///< for the chunks; must exist
  bool bundles = false;          ///< packs share a few files; else each has one: <number>.pack
};

class ChunkReader {
 public:
  virtual ~ChunkReader() = default;
  /// The next chunk, when it is whole; nullopt behind the last. Chunks in which no sample could be read come, too.
  /// Errors: interrupted; whatever a sample's error was that is not `bad_input`; io where no process can be started.
  virtual Result<std::optional<SampleChunk>> next(const Stop& stop) = 0;
};

/// Reads the samples with these numbers, in this order. The source outlives the reader. Starts nothing yet.
std::unique_ptr<ChunkReader> make_chunk_reader(const SampleSource& source, std::vector<std::int64_t> numbers,
                                               ReadingOptions options);

/// A few samples, as one chunk in `folder`, which is made. Errors as of ChunkReader::next.
Result<SampleChunk> read_chunk(const SampleSource& source, std::vector<std::int64_t> numbers, const Limits& each_sample,
                               const std::filesystem::path& folder, const Stop& stop);

/// 0, 1, ... size - 1.
std::vector<std::int64_t> in_order(std::int64_t size);
/// These numbers, shuffled by the seed (Fisher and Yates).
std::vector<std::int64_t> shuffled(std::int64_t size, std::uint64_t seed);

}  // namespace culprit
