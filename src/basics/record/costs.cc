#include "record/costs.h"

namespace culprit {

Counts& Counts::operator+=(const Counts& other) {
  imports += other.imports;
  sessions += other.sessions;
  runs += other.runs;
  processes += other.processes;
  return *this;
}

Counts& Counts::operator-=(const Counts& other) {
  imports -= other.imports;
  sessions -= other.sessions;
  runs -= other.runs;
  processes -= other.processes;
  return *this;
}

Spent& Spent::operator+=(const Spent& other) {
  runs += other.runs;
  loads += other.loads;
  optimize += other.optimize;
  return *this;
}

Spent& Spent::operator-=(const Spent& other) {
  runs -= other.runs;
  loads -= other.loads;
  optimize -= other.optimize;
  return *this;
}

}  // namespace culprit
