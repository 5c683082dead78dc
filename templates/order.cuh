// What lies side by side in memory, so that neighbouring threads read it at once.
#pragma once

/// Which neighbours lie side by side in memory: elements of neighbouring results, or the summands
/// of one result.
enum class Order { results, summands };
