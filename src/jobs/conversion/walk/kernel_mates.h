#pragma once
// Which layers hold each other's parameters, right or wrong: they tell where in the target a layer of the source is,
// though its values are not found.

#include <set>
#include <vector>

#include "conversion/map/match_parameters.h"
#include "conversion/sides/ways.h"

namespace culprit {

/// What a converter made of one or more layers of the source stands in one layer of the target.
struct KernelMate {
  std::vector<int> sources;  ///< ascending: a Conv and the normalization folded into it
  int target = -1;
  std::size_t match = 0;  ///< into the parameter matches
};

/// Counted are parameters with more than 8 elements that are not all one number. Each layer stands once, by its nearest
/// match; where several layers of the source stand in one layer of the target number for number, the mate has them all
/// (a MatMul and an Add in a Gemm).
std::vector<KernelMate> kernel_mates(const std::vector<DerivedTensor>& derived,
                                     const std::vector<TargetParameter>& targets,
                                     const std::vector<ParameterMatch>& matches);

/// The target's layers that hold kernels of these layers of the source. `is_whole`: is each of these kernels made of
/// layers among them only, and of `others`: what else may be in one kernel with them (a stack of query, key and value)?
struct KernelsOf {
  std::set<int> targets;
  bool is_whole = true;
};
KernelsOf kernels_of(const std::vector<KernelMate>& mates, const std::set<int>& sources,
                     const std::set<int>& others = {});

/// Do both values rest on the same kernels, backwards to the first on each way? False where there is none.
bool rest_on_the_same_kernels(const std::vector<KernelMate>& mates, const Ways& source, int value, const Ways& target,
                              int other);

}  // namespace culprit
