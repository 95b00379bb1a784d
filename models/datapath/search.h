// The eight largest values of a row, and where given values stand in it.
#pragma once

#include "models/datapath/execute.h"

namespace tpb {

inline constexpr unsigned kSlots = 8;

// The eight largest, compared in fp32, ascending; equal values keep the order in which they came, so that a descending
// reading gives the first one first. NaN never counts; what is missing is -inf.
void max8(const RowView& source, const RowView& destination, Scratch& scratch);

// Eight values of every lane into the state: integers as they are, everything else as fp32.
void load_match_values(const RowView& values, LaneState& state, Scratch& scratch);

// For each of those values the place of an equal element in the source's stream, or all ones: of the first one, or,
// `successive`, of the next one that no value before it has taken.
void find_index8(bool successive, LaneState& state, const RowView& source, const RowView& destination,
                 Scratch& scratch);

}  // namespace tpb
