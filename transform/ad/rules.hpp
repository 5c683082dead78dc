// The rules of both modes, one file each; rules.cpp says which applies where.
#pragma once

#include "transform/ad/context.hpp"
#include "transform/ad/scope.hpp"

namespace boustro::ad {

// ---- Reverse mode. The statement has a result whose adjoint is not zero. ------------------------------

Sweeps reverse_scalar(Reverse& reverse, const ir::Stm& stm);
Sweeps reverse_move(Reverse& reverse, const ir::Stm& stm, const ir::Atom& operand);
Sweeps reverse_rearrange(Reverse& reverse, const ir::Stm& stm, const ir::Rearrange& e);
Sweeps reverse_reshape(Reverse& reverse, const ir::Stm& stm, const ir::Reshape& e);
Sweeps reverse_replicate(Reverse& reverse, const ir::Stm& stm, const ir::Replicate& e);
Sweeps reverse_concat(Reverse& reverse, const ir::Stm& stm, const ir::Concat& e);
Sweeps reverse_iota(Reverse& reverse, const ir::Stm& stm, const ir::Iota& e);
Sweeps reverse_array_literal(Reverse& reverse, const ir::Stm& stm, const ir::ArrayLiteral& e);
Sweeps reverse_index(Reverse& reverse, const ir::Stm& stm, const ir::Index& e);
Sweeps reverse_update(Reverse& reverse, const ir::Stm& stm, const ir::Update& e);
Sweeps reverse_if(Reverse& reverse, const ir::Stm& stm, const ir::If& e);
Sweeps reverse_loop(Reverse& reverse, const ir::Stm& stm, const ir::Loop& e);
Sweeps reverse_call(Reverse& reverse, const ir::Stm& stm, const ir::Call& e);
Sweeps reverse_map(Reverse& reverse, const ir::Stm& stm, const ir::Map& e);
Sweeps reverse_scatter(Reverse& reverse, const ir::Stm& stm, const ir::Scatter& e);
Sweeps reverse_with_acc(Reverse& reverse, const ir::Stm& stm, const ir::WithAcc& e);
Sweeps reverse_update_acc(Reverse& reverse, const ir::Stm& stm, const ir::UpdateAcc& e);
Sweeps reverse_with_vjp(Reverse& reverse, const ir::Stm& stm, const ir::WithVjp& e);

// Special cases first: nullopt means "not mine".
using MaybeSweeps = std::optional<Sweeps>;
MaybeSweeps reverse_map_sparse(Reverse& reverse, const ir::Stm& stm, const ir::Map& e);
MaybeSweeps reverse_reduce_add(Reverse& reverse, const ir::Stm& stm, const ir::Reduce& e);
MaybeSweeps reverse_reduce_min(Reverse& reverse, const ir::Stm& stm, const ir::Reduce& e);
MaybeSweeps reverse_reduce_vectorised(Reverse& reverse, const ir::Stm& stm, const ir::Reduce& e);
MaybeSweeps reverse_reduce_general(Reverse& reverse, const ir::Stm& stm, const ir::Reduce& e);
MaybeSweeps reverse_scan_add(Reverse& reverse, const ir::Stm& stm, const ir::Scan& e);
MaybeSweeps reverse_scan_vectorised(Reverse& reverse, const ir::Stm& stm, const ir::Scan& e);
MaybeSweeps reverse_scan_linear(Reverse& reverse, const ir::Stm& stm, const ir::Scan& e);
MaybeSweeps reverse_hist_split(Reverse& reverse, const ir::Stm& stm, const ir::ReduceByIndex& e);
MaybeSweeps reverse_hist_add(Reverse& reverse, const ir::Stm& stm, const ir::ReduceByIndex& e);
MaybeSweeps reverse_hist_min(Reverse& reverse, const ir::Stm& stm, const ir::ReduceByIndex& e);
MaybeSweeps reverse_scan_sequential(Reverse& reverse, const ir::Stm& stm, const ir::Scan& e);
MaybeSweeps reverse_hist_vectorised(Reverse& reverse, const ir::Stm& stm, const ir::ReduceByIndex& e);
MaybeSweeps reverse_hist_general(Reverse& reverse, const ir::Stm& stm, const ir::ReduceByIndex& e);

/// A rule that replaces a statement by others of the same results: differentiates those.
Sweeps reverse_replacement(Reverse& reverse, const std::vector<ir::Stm>& replacement);

/// The adjoints of the lambda's parameters at these arguments, for adjoints of its results; null where
/// the adjoint is statically zero. Emits both sweeps. Only parameters marked in `wrt` are differentiated.
std::vector<std::optional<ir::Atom>> inline_vjp(Derivation& derivation, ir::Builder& builder,
                                                const ir::Lambda& fn, const std::vector<ir::Atom>& args,
                                                const std::vector<ir::Atom>& result_adjoints,
                                                const std::vector<bool>& wrt, const ir::Shape& seed_shape);

// ---- Forward mode. The statement has an active result. ------------------------------------------------

void forward_scalar(Forward& forward, ir::Builder& builder, const ir::Stm& stm);
void forward_linear(Forward& forward, ir::Builder& builder, const ir::Stm& stm);
void forward_if(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::If& e);
void forward_loop(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Loop& e);
void forward_fixed_point(Forward& forward, ir::Builder& builder, const ir::Stm& stm);
void forward_call(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Call& e);
void forward_map(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Map& e);
void forward_reduce(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Reduce& e);
void forward_scan(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Scan& e);
void forward_reduce_by_index(Forward& forward, ir::Builder& builder, const ir::Stm& stm,
                             const ir::ReduceByIndex& e);
void forward_scatter(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::Scatter& e);
void forward_with_acc(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::WithAcc& e);
void forward_update_acc(Forward& forward, ir::Builder& builder, const ir::Stm& stm,
                        const ir::UpdateAcc& e);
void forward_with_vjp(Forward& forward, ir::Builder& builder, const ir::Stm& stm, const ir::WithVjp& e);

}  // namespace boustro::ad
