#pragma once
// A diagnosis as a part of another report.

#include "record/diagnosis.h"
#include "report/json_parts.h"

namespace culprit {

/// As report.json of `culprit diagnose`.
Json json_of_diagnosis(const Diagnosis& diagnosis);
Json json_of_fault(const ConversionFault& fault);

}  // namespace culprit
