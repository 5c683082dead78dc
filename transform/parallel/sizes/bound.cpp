#include "transform/parallel/sizes/bound.hpp"

#include "transform/ir/params.hpp"

namespace boustro::parallel {
namespace {

using namespace ir;

/// From where the size is bound on, the lesser of it and `most` stands for it.
class Bound {
 public:
  Bound(Name size, Name most, Provenance origin, Names& names)
      : size_(std::move(size)), most_(std::move(most)), origin_(std::move(origin)), names_(names) {}

  /// False if what binds the size needs it itself.
  bool in(Stm& stm) {
    if (auto* loop = std::get_if<Loop>(&stm.exp); loop && binds(params_of(*loop), size_)) {
      if (mentioned_sizes(params_of(*loop)).contains(size_)) return false;
      from(loop->body, 0);
      return true;
    }
    bool found = false;
    map_lambdas(stm.exp, [&](Lambda& fn) {
      if (!binds(fn.params, size_) || mentioned_sizes(fn.params).contains(size_)) return;
      from(fn.body, 0);
      found = true;
    });
    if (!found) map_bodies(stm.exp, [&](Body& body) { found = found || in(body); });
    return found;
  }

 private:
  bool in(Body& body) {
    for (std::size_t i = 0; i < body.stms.size(); ++i) {
      Stm& stm = body.stms[i];
      if (binds(stm.pattern, size_)) {
        if (mentioned_sizes(stm.pattern).contains(size_)) return false;
        from(body, i + 1);
        return true;
      }
      if (in(stm)) return true;
    }
    return false;
  }

  void from(Body& body, std::size_t at) {
    const Name result = names_.bind_fresh(size_.base, size_type);
    const auto first = body.stms.begin() + static_cast<std::ptrdiff_t>(at);
    Body rest{{first, body.stms.end()}, body.result};
    substitute(rest, {{size_, result}});
    body.stms.erase(first, body.stms.end());
    body.stms.push_back({{{result, size_type}}, BinOp{BinOpKind::min, PrimType::i64, size_, most_}, origin_, {}});
    body.stms.insert(body.stms.end(), rest.stms.begin(), rest.stms.end());
    body.result = rest.result;
  }

  Name size_, most_;
  Provenance origin_;
  Names& names_;
};

}  // namespace

bool bound_size(Stm& stm, const Name& size, const Name& most, Names& names) {
  return Bound(size, most, stm.origin, names).in(stm);
}

}  // namespace boustro::parallel
