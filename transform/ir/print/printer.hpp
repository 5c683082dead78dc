// Prints one function as Futhark. Text that goes over several lines is indented absolutely, apart from its first line.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>

#include "transform/ir/print.hpp"
#include "transform/ir/print/namer.hpp"

namespace boustro::ir::printing {

/// `count` elements from `begin`, or as many as there are.
template <typename T>
std::vector<T> part(const std::vector<T>& list, std::size_t begin, std::size_t count) {
  const auto first = list.begin() + static_cast<std::ptrdiff_t>(std::min(begin, list.size()));
  const auto last = list.begin() + static_cast<std::ptrdiff_t>(std::min(begin + count, list.size()));
  return {first, last};
}

class Printer {
 public:
  Printer(Namer names, std::unordered_map<Name, Type> types, const PrintOptions& options);

  /// What a whole program knows beyond one function.
  struct Callee {
    std::string name;
    std::vector<bool> size_args;  // those that follow from the others and are left out
  };
  std::unordered_map<Name, Callee> callees;
  std::vector<bool> fresh_results;  // of the function that is printed

  std::string function(const Function& function);
  std::string statement(const Stm& stm, int indent);
  std::string expression(const Exp& exp, int indent);

 private:
  // Small pieces.
  std::string name(const Name& name) const { return names_.spell(name); }
  std::string atom(const Atom& atom) const;       // as an argument: negative numbers in parentheses
  std::string count(const Atom& atom) const;      // an i64, without suffix
  std::string size(const Atom& atom) const;       // inside of brackets
  std::string shape(const Shape& shape) const;
  std::string type(const Type& type, bool unique = false) const;
  std::string param(const Param& param) const;    // (x: t)
  std::string params_tuple(const std::vector<Param>& params) const;  // (x: t) or (x: t, y: u)
  std::vector<std::string> all(const std::vector<Atom>& atoms) const;
  std::vector<std::string> all(const std::vector<Name>& names) const;
  Type type_of(const Atom& atom) const;

  // Scopes. Results of lambdas that are applied to arrays nest as zip does; others are flat.
  enum class TupleStyle { flat, nested };
  std::string statements(const Body& body, int indent);  // with `in`, if there are any
  std::string body(const Body& body, int indent, const std::vector<bool>& left_out);
  std::string nested_body(const Body& body, int indent, const std::vector<bool>& left_out, TupleStyle style);
  std::string results(const std::vector<Atom>& results, const std::vector<bool>& left_out, TupleStyle style) const;
  std::string lambda(const Lambda& lambda, int indent, const std::string& params, TupleStyle style);
  std::string curried(const Lambda& lambda, int indent);
  std::string operator_lambda(const Lambda& op, int indent);
  std::optional<std::string> operator_section(const Lambda& op) const;

  // Statements.
  std::string let(const std::string& pattern, const std::string& exp, const Stm& stm, int indent);
  std::string plain_statement(const Stm& stm, int indent);
  std::string provenance(const Stm& stm) const;
  std::string attributes(const std::vector<Attribute>& attributes) const;
  std::string pattern(const Stm& stm, const std::vector<bool>& sizes) const;
  /// Binds `names`, accumulators first, to the results of a map.
  std::string bind_map(const std::vector<std::string>& names, const Atom& width, const Lambda& fn,
                       const std::vector<Name>& arrays, const std::vector<Name>& accumulators, const Stm& stm,
                       int indent);
  std::string fused_statement(const Atom& width, const std::vector<Operator>& operators, const Lambda& fn,
                              const std::vector<Name>& arrays, const std::vector<Name>& accumulators, bool scan,
                              const Stm& stm, int indent);
  std::string histogram_statement(const ReduceByIndex& e, const Stm& stm, int indent);
  std::string histogram(const Histogram& histogram, const std::vector<std::string>& indices,
                        const std::vector<std::string>& values, int indent);
  std::string scatter_statement(const Scatter& e, const Stm& stm, int indent);
  std::string derivative_statement(const std::string& function, const Lambda& fn, const std::vector<Atom>& args,
                                   const std::vector<Atom>& seeds, const Shape& seed_shape, const Stm& stm,
                                   int indent);
  std::string nest_statement(const Nest& e, const Stm& stm, int indent);
  /// A map with what follows it as one call: `core.fused n fn (xs, ys) outs`.
  std::string fused_call(const Atom& width, const Lambda& fn, const std::vector<Name>& arrays,
                         const std::vector<Name>& accumulators, const std::vector<Out>& outs, const Stm& stm,
                         int indent);
  /// The expression if it can only be told apart from what surrounds it in this way.
  std::optional<std::string> exact_fused(const Stm& stm, int indent);
  Lambda identity(const std::vector<Name>& arrays);
  std::string typed_results(const Stm& stm, std::size_t accumulators) const;
  std::string point_exp(const Lambda& fn, std::size_t accumulators, int indent);
  std::string nest_exp(const Nest& e, int indent);
  std::string out_exp(const Out& out, std::size_t rank, int indent);
  std::string combination(const Out& out, std::size_t rank, int indent);
  std::string flat_params(const std::vector<Param>& params) const;
  std::string unzip_lets(const std::vector<std::string>& names, const std::string& zipped, const Stm& stm,
                         int indent);

  // Expressions, by kind.
  std::string print(const AtomExp& e, int indent);
  std::string print(const UnOp& e, int indent);
  std::string print(const BinOp& e, int indent);
  std::string print(const CmpOp& e, int indent);
  std::string print(const Convert& e, int indent);
  std::string print(const MathOp& e, int indent);
  std::string print(const If& e, int indent);
  std::string print(const Loop& e, int indent);
  std::string print(const Call& e, int indent);
  std::string print(const Assert& e, int indent);
  std::string print(const ArrayLiteral& e, int indent);
  std::string print(const Iota& e, int indent);
  std::string print(const Replicate& e, int indent);
  std::string print(const Scratch& e, int indent);
  std::string print(const Copy& e, int indent);
  std::string print(const Sort& e, int indent);
  std::string print(const Concat& e, int indent);
  std::string print(const Rearrange& e, int indent);
  std::string print(const Reshape& e, int indent);
  std::string print(const Coerce& e, int indent);
  std::string print(const Index& e, int indent);
  std::string print(const Update& e, int indent);
  std::string print(const Map& e, int indent);
  std::string print(const Reduce& e, int indent);
  std::string print(const Scan& e, int indent);
  std::string print(const MapReduce& e, int indent);
  std::string print(const MapScan& e, int indent);
  std::string print(const ReduceByIndex& e, int indent);
  std::string print(const Scatter& e, int indent);
  std::string print(const WithAcc& e, int indent);
  std::string print(const UpdateAcc& e, int indent);
  std::string print(const Nest& e, int indent);
  std::string print(const Jvp& e, int indent);
  std::string print(const Vjp& e, int indent);
  std::string print(const WithVjp& e, int indent);

  std::string if_exp(const If& e, int indent, const std::vector<bool>& left_out);
  /// Turns off the check that reading back would add to an operation without one.
  std::string unchecked(bool checked, const std::string& exp) const;
  /// (i, (start, count, stride)): the indices as a tuple, so that they are read back as they are.
  std::string index_tuple(const std::vector<DimIndex>& indices) const;
  std::string indices(const std::vector<DimIndex>& indices) const;
  std::string slice(const Slice& slice) const;
  std::string written(const Update& e) const;
  /// map fn over these arrays, without the binding of its results.
  std::string map_exp(const Lambda& fn, const Atom& width, const std::vector<Name>& arrays, int indent);
  /// A reduction to arrays may yield one of its operands in the language; ours is fresh.
  std::string fresh_fold(const std::string& exp, const Lambda& op) const;
  /// A use that makes an array one's own, where the language does not see that it is.
  std::string own(const std::string& array) const;
  std::string fold_exp(const std::string& function, const Lambda& op, const std::vector<Atom>& neutral,
                       const std::vector<std::string>& arrays, int indent);

  Namer names_;
  std::unordered_map<Name, Type> types_;
  const PrintOptions& options_;
};

/// (a, b), or a alone, or (); more than five are nested pairs, as zip makes them.
std::string tuple(const std::vector<std::string>& elements);
std::string flat_tuple(const std::vector<std::string>& elements);
std::string zipped(const std::vector<std::string>& arrays);
/// Which of these bind sizes that the types of others mention.
std::vector<bool> sizes_among(const std::vector<Param>& params);
inline std::string line_start(int indent) { return "\n" + std::string(static_cast<std::size_t>(indent), ' '); }

}  // namespace boustro::ir::printing
