#pragma once
// How work tells what goes on: a function handed down by whoever started it.

#include <cstddef>
#include <functional>
#include <string>

namespace culprit {

/// Told as work goes on; may be empty. `done` of `total` things, and what is going on.
using Progress = std::function<void(std::size_t done, std::size_t total, const std::string& what)>;

}  // namespace culprit
