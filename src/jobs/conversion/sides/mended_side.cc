#include "conversion/sides/mended_side.h"

#include <utility>

#include "base/as_index.h"

namespace culprit {
namespace {

class MendedSide : public Side {
 public:
  MendedSide(const Side& side, std::vector<SetConstant> constants)
      : side_(side), network_(side.network()), edits_(constants.begin(), constants.end()) {
    for (SetConstant& one : constants) network_.values[as_index(one.value)].constant = std::move(one.tensor);
  }

  [[nodiscard]] const Network& network() const override { return network_; }
  Result<PreparedRun> prepare(const SideView& view, const std::vector<std::filesystem::path>& samples,
                              const std::filesystem::path& folder) const override {
    SideView mended = view;
    mended.edits.insert(mended.edits.begin(), edits_.begin(), edits_.end());
    return side_.prepare(mended, samples, folder);
  }
  [[nodiscard]] Result<std::filesystem::path> write_whole(const std::vector<Edit>& edits,
                                                          const std::vector<SeenOutput>& seen) const override {
    std::vector<Edit> all = edits_;
    all.insert(all.end(), edits.begin(), edits.end());
    return side_.write_whole(all, seen);
  }
  [[nodiscard]] bool can_be_drawn() const override { return side_.can_be_drawn(); }
  [[nodiscard]] Nature nature_of(int value) const override { return side_.nature_of(value); }

 private:
  const Side& side_;
  Network network_;
  std::vector<Edit> edits_;
};

}  // namespace

std::unique_ptr<Side> mended_side(const Side& side, std::vector<SetConstant> constants) {
  return std::make_unique<MendedSide>(side, std::move(constants));
}

}  // namespace culprit
