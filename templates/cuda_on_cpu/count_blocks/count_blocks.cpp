// A plugin of Clang that makes programs say which pieces of straight code they run, and what is computed there.
//
//   clang++ -fpass-plugin=count_blocks.so ...
//
// It comes last, so that what is counted is what is left when the code has been optimised; and only to
// functions that are to be observed (observer.hpp). Before each basic block's instructions it puts
//
//   cuda_emulation_run_block(&block);   // a CodeBlock
//
// nvcc makes a sum of a product one instruction where the product is not needed otherwise. Here that is
// counted, not done. CUDA's headers compute with __half in float where there is no GPU, by long detours; so
// these functions are kept as calls, and each is one operation on f16.
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Plugins/PassPlugin.h>

#include <algorithm>
#include <optional>

#include "../code_block.hpp"

namespace {

using cuda_emulation::CodeBlock;
using cuda_emulation::FloatType;
using llvm::StringRef;

enum class Kind { nothing, operation, fused, special };

std::optional<FloatType> float_type(const llvm::Type* type) {
  if (type->isHalfTy()) return cuda_emulation::f16;
  if (type->isFloatTy()) return cuda_emulation::f32;
  if (type->isDoubleTy()) return cuda_emulation::f64;
  return std::nullopt;
}

// --- functions on __half ---------------------------------------------------------------

/// `__hadd` of `_ZL6__hadd6__halfS_`; empty for functions that have nothing to do with __half.
StringRef name_on_half(StringRef mangled) {
  if (!mangled.consume_front("_ZL") && !mangled.consume_front("_Z")) return "";
  std::size_t length = 0;
  if (mangled.consumeInteger(10, length) || length > mangled.size()) return "";
  const StringRef name = mangled.take_front(length);
  return name.starts_with("__h") || name.starts_with("__float2half") || name.starts_with("__double2half")
             ? name
             : "";
}

Kind kind_on_half(StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases({"__hadd", "__hsub", "__hmul", "__hmin", "__hmax", "__hadd_rn", "__hsub_rn", "__hmul_rn"},
             Kind::operation)
      .Case("__hfma", Kind::fused)
      .Case("__hdiv", Kind::special)
      .Default(Kind::nothing);  // conversions, comparisons, signs
}

/// Comes first: the functions on __half stay calls.
struct KeepHalves : llvm::PassInfoMixin<KeepHalves> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    for (llvm::Function& function : module) {
      if (name_on_half(function.getName()).empty()) continue;
      function.removeFnAttr(llvm::Attribute::AlwaysInline);
      function.addFnAttr(llvm::Attribute::NoInline);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// --- what an instruction computes ------------------------------------------------------

/// `exp` of `llvm.exp.f32`, `exp` and `expf`.
StringRef function_name(const llvm::Function& function) {
  StringRef name = function.getName();
  if (name.consume_front("llvm.")) return name.take_until([](char c) { return c == '.'; });
  if (function.getReturnType()->isFloatTy()) name.consume_back("f");
  return name;
}

Kind kind_of_call(const llvm::Function& function) {
  return llvm::StringSwitch<Kind>(function_name(function))
      .Cases({"fma", "fmuladd"}, Kind::fused)
      .Cases({"fmin", "fmax", "minnum", "maxnum", "minimum", "maximum", "minimumnum", "maximumnum"},
             Kind::operation)
      .Cases({"floor", "ceil", "trunc", "rint", "nearbyint", "round", "roundeven", "ldexp"}, Kind::operation)
      .Cases({"fabs", "copysign", "is"}, Kind::nothing)  // part of the instruction that takes the result
      .Default(Kind::special);
}

bool is_product(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::FMul;
}

bool is_sum(const llvm::Instruction& instruction) {
  return instruction.getOpcode() == llvm::Instruction::FAdd ||
         instruction.getOpcode() == llvm::Instruction::FSub;
}

// --- operations of warps ---------------------------------------------------------------

/// What a call counts as: instructions of the GPU, and those that one which needs its result has to wait for.
struct CallCost {
  std::uint32_t instructions, chain;
};

/// `__shfl_sync` of `_Z11__shfl_syncIfET_jS0_ii`; empty for other functions than those of templates/cuda_on_cpu/warp.hpp.
StringRef name_of_warp_operation(StringRef mangled) {
  std::size_t length = 0;
  if (!mangled.consume_front("_Z") || mangled.consumeInteger(10, length) || length > mangled.size()) return "";
  const StringRef name = mangled.take_front(length);
  return name.starts_with("__") && name.ends_with("_sync") ? name : "";
}

/// What PTX calls mma.m8n8k4 of f64: so many of its 8 x 8 x 4 multiplications are each lane's share.
constexpr StringRef product_on_tensor_cores = "__mma_m8n8k4_f64_sync";
constexpr std::uint32_t products_of_lane = 8 * 8 * 4 / 32;

/// Shuffles and matches exchange 32 bits at a time. Their latencies, in instructions of 4 to 5 clocks: assumed to be those of an access
/// to shared memory for shuffles, and half of that for votes; matches take about as long as shuffles, and products on tensor cores a little longer.
CallCost cost_of_call(const llvm::CallBase& call, const llvm::Function& callee) {
  const StringRef name = name_of_warp_operation(callee.getName());
  if (name.empty()) return {1, 1};
  if (name == product_on_tensor_cores) return {1, 7};
  if (name == "__ballot_sync" || name == "__any_sync" || name == "__all_sync") return {1, 3};
  const bool wide = std::any_of(call.arg_begin(), call.arg_end(),
                                [](const llvm::Use& arg) { return arg->getType()->getPrimitiveSizeInBits() > 32; });
  return {wide ? 2u : 1u, wide ? 7u : 6u};
}

class BlockReader {
 public:
  CodeBlock read(const llvm::BasicBlock& block) {
    for (const llvm::Instruction& instruction : block)
      if (is_sum(instruction)) absorb_product(instruction);
    for (const llvm::Instruction& instruction : block) read(instruction);
    return result_;
  }

 private:
  struct Chain {
    std::uint32_t instructions = 0, loads = 0;
  };

  /// One of the products that the sum adds up, if it is needed nowhere else.
  void absorb_product(const llvm::Instruction& sum) {
    for (const llvm::Value* const operand : sum.operands()) {
      const auto* const product = llvm::dyn_cast<llvm::Instruction>(operand);
      if (product == nullptr || !is_product(*product) || !product->hasOneUse() ||
          product->getParent() != sum.getParent())
        continue;
      absorbed_.insert(product);
      fused_.insert(&sum);
      return;
    }
  }

  void read(const llvm::Instruction& instruction) {
    const auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    const llvm::Function* const callee = call == nullptr ? nullptr : call->getCalledFunction();
    if (llvm::isa<llvm::PHINode>(instruction) || instruction.isDebugOrPseudoInst() ||
        instruction.isLifetimeStartOrEnd())
      return;
    if (callee != nullptr && callee->getName().starts_with("__tsan")) return;
    const CallCost cost = callee == nullptr ? CallCost{1, 1} : cost_of_call(*call, *callee);
    result_.instructions += cost.instructions;
    lengthen_chain(instruction, cost.chain);
    if (callee != nullptr) {
      read_call(*callee);
    } else if (const auto type = float_type(instruction.getType())) {
      add(kind_of(instruction), *type);
    }
  }

  /// And not of what the emulator knows of a thread, in a variable of its own, or in what that points to.
  bool is_load_of_kernel(const llvm::Instruction& instruction) {
    const auto* const load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    if (load == nullptr) return false;
    const llvm::Value* const object = llvm::getUnderlyingObject(load->getPointerOperand());
    const auto* const call = llvm::dyn_cast<llvm::IntrinsicInst>(object);
    const auto* const variable = llvm::dyn_cast<llvm::GlobalVariable>(object);
    const bool of_thread = (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::threadlocal_address) ||
                           (variable != nullptr && variable->isThreadLocal()) || of_emulator_.contains(object);
    if (of_thread) of_emulator_.insert(load);
    return !of_thread;
  }

  /// A product that a sum absorbs is there when the sum is.
  void lengthen_chain(const llvm::Instruction& instruction, std::uint32_t length) {
    Chain chain;
    for (const llvm::Value* const operand : instruction.operands()) {
      const auto found = chains_.find(operand);
      if (found == chains_.end()) continue;
      chain.instructions = std::max(chain.instructions, found->second.instructions);
      chain.loads = std::max(chain.loads, found->second.loads);
    }
    chain.instructions += absorbed_.contains(&instruction) ? 0 : length;
    chain.loads += is_load_of_kernel(instruction);
    chains_[&instruction] = chain;
    result_.chain = std::max(result_.chain, chain.instructions);
    result_.load_chain = std::max(result_.load_chain, chain.loads);
  }

  void read_call(const llvm::Function& callee) {
    if (const StringRef half = name_on_half(callee.getName()); !half.empty())
      return add(kind_on_half(half), cuda_emulation::f16);
    if (name_of_warp_operation(callee.getName()) == product_on_tensor_cores) result_.tensor += products_of_lane;
    const auto type = float_type(callee.getReturnType());
    if (type && callee.isDeclaration() && name_of_warp_operation(callee.getName()).empty()) add(kind_of_call(callee), *type);
  }

  Kind kind_of(const llvm::Instruction& instruction) const {
    switch (instruction.getOpcode()) {
      case llvm::Instruction::FAdd:
      case llvm::Instruction::FSub:
        return fused_.contains(&instruction) ? Kind::fused : Kind::operation;
      case llvm::Instruction::FMul:
        return absorbed_.contains(&instruction) ? Kind::nothing : Kind::operation;
      case llvm::Instruction::FDiv:
      case llvm::Instruction::FRem:
        return Kind::special;
      default:
        return Kind::nothing;
    }
  }

  void add(Kind kind, FloatType type) {
    result_.operations[type] += kind == Kind::operation || kind == Kind::fused;
    result_.fused[type] += kind == Kind::fused;
    result_.special[type] += kind == Kind::special;
  }

  CodeBlock result_ = {};
  llvm::SmallPtrSet<const llvm::Instruction*, 16> absorbed_, fused_;
  llvm::SmallPtrSet<const llvm::Value*, 16> of_emulator_;  // loads
  llvm::DenseMap<const llvm::Value*, Chain> chains_;  // the longest that end in an instruction of the block
};

// --- the calls -------------------------------------------------------------------------

/// The block's numbers as a variable of the program.
llvm::GlobalVariable* describe(llvm::Module& module, const CodeBlock& block) {
  constexpr std::size_t count = sizeof block / sizeof(std::uint32_t);
  std::uint32_t numbers[count];
  std::memcpy(numbers, &block, sizeof block);
  llvm::Constant* const value = llvm::ConstantDataArray::get(module.getContext(), numbers);
  return new llvm::GlobalVariable(module, value->getType(), false, llvm::GlobalValue::InternalLinkage, value,
                                  "code_block");
}

struct CountBlocks : llvm::PassInfoMixin<CountBlocks> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    llvm::LLVMContext& context = module.getContext();
    const llvm::FunctionCallee run_block = module.getOrInsertFunction(
        "cuda_emulation_run_block", llvm::Type::getVoidTy(context), llvm::PointerType::getUnqual(context));
    for (llvm::Function& function : module) {
      if (!function.hasFnAttribute(llvm::Attribute::SanitizeThread) ||
          !name_on_half(function.getName()).empty())
        continue;
      for (llvm::BasicBlock& block : function) {
        const auto place = block.getFirstInsertionPt();
        if (place == block.end()) continue;
        llvm::IRBuilder<> builder(&block, place);
        // a call without a place would be an error in a function that has places
        builder.SetCurrentDebugLocation(llvm::DebugLoc::getTemporary());
        builder.CreateCall(run_block, {describe(module, BlockReader().read(block))});
      }
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

}  // namespace

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {
      LLVM_PLUGIN_API_VERSION, "count_blocks", "1", [](llvm::PassBuilder& builder) {
        builder.registerPipelineStartEPCallback(
            [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(KeepHalves()); });
        builder.registerOptimizerLastEPCallback(
            [](llvm::ModulePassManager& passes, llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
              passes.addPass(CountBlocks());
            });
      }};
}
