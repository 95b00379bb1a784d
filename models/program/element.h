// Elements of tensors outside memory: their bits in a byte array, and to and from fp32 by the datapath's conversions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/isa/dtype.h"

namespace tpb {

// Element `index` of an array in numpy order, little endian, zero-extended.
std::uint32_t load_element(std::span<const std::uint8_t> bytes, std::size_t index, Dtype dtype);
std::vector<std::uint8_t> pack_elements(std::span<const std::uint32_t> elements, Dtype dtype);

// fp32 bits to those of a floating dtype in place: RNE, as the datapath narrows. fp32 itself is left as it is.
void narrow_from_fp32(std::span<std::uint32_t> values, Dtype dtype);
std::uint32_t element_from_fp32(std::uint32_t fp32_bits, Dtype dtype);
// The exact value of any element.
double element_value(std::uint32_t bits, Dtype dtype);

}  // namespace tpb
