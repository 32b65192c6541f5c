#pragma once
// The small network of tests/golden/tflite.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "network/tflite/tflite_edit.h"

namespace culprit {

inline TfliteFile small_tflite() {
  auto file = TfliteFile::open(CULPRIT_SOURCE "/tests/golden/tflite/small.tflite");
  if (!file) throw std::runtime_error(file.error().text());
  return *file;
}

/// Everything of a graph but where its buffers lie, as text, to compare two.
std::string told(const TfliteFile& file);

}  // namespace culprit
