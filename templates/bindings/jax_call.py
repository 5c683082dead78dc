# Arguments and calls of foreign functions, for modules on arrays of JAX.
class _Arguments:
    """Checks the arguments of a call, whose shapes say what the sizes of the function are."""

    def __init__(self, function):
        self._function = function
        self._sizes = {}  # by name: the value, and where it comes from

    def _fail(self, kind, text):
        raise kind(f"{self._function}: {text}")

    def array(self, name, value, dtype, *dimensions):
        """An array whose dimensions are these sizes, by name, or numbers; without any, a number that may be traced."""
        literal = isinstance(value, (bool, int, float)) and not dimensions
        array = jnp.asarray(value)
        if (literal or array.weak_type) and array.dtype.kind <= np.dtype(dtype).kind:
            array = array.astype(jax.dtypes.canonicalize_dtype(dtype))
        if array.dtype != dtype:
            hint = "; jax_enable_x64 is off" if jax.dtypes.canonicalize_dtype(dtype) != dtype else ""
            self._fail(TypeError, f"{name} must be {dtype}, not {array.dtype}{hint}")
        if array.ndim != len(dimensions):
            self._fail(ValueError, f"{name} must have {len(dimensions)} dimension{'s' * (len(dimensions) != 1)}, not {array.ndim}")
        for i, (dimension, extent) in enumerate(zip(dimensions, array.shape)):
            self._meet(f"dimension {i} of {name}", dimension, extent)
        return array

    def _meet(self, here, dimension, extent):
        if isinstance(dimension, int):
            expected, reason = dimension, ""
        else:
            expected, source = self._sizes.setdefault(dimension, (extent, here))
            reason = f", which is {dimension} by {source}"
        if extent != expected:
            self._fail(ValueError, f"{here} must be {expected}{reason}, not {extent}")

    def integer(self, name, value):
        """An integer that may be traced."""
        array = jnp.asarray(value)
        if array.ndim != 0 or array.dtype.kind not in "iu":
            self._fail(TypeError, f"{name} must be an integer, not {array.dtype} of {array.ndim} dimensions")
        return array.astype(jax.dtypes.canonicalize_dtype("int64"))

    def static(self, name, value):
        """An integer that shapes depend on."""
        try:
            result = operator.index(value)
        except (jax.errors.ConcretizationTypeError, jax.errors.TracerIntegerConversionError):
            self._fail(TypeError, f"{name} must be known while the program is traced, since shapes depend on it")
        except TypeError:
            self._fail(TypeError, f"{name} must be an integer, not {type(value).__name__}")
        self._sizes[name] = (result, "the argument")
        return result


def _call_foreign(target, results, *arrays, **numbers):
    """Calls a foreign function with results of these shapes and types."""
    for shape, dtype in results:
        if jax.dtypes.canonicalize_dtype(dtype) != dtype:
            raise TypeError(f"{target}: a result is {dtype}, and jax_enable_x64 is off")
        if any(extent < 0 for extent in shape):
            raise ValueError(f"{target}: negative array size {min(shape)}")
    types = [jax.ShapeDtypeStruct(shape, dtype) for shape, dtype in results]
    call = jax.ffi.ffi_call(target, types if len(types) > 1 else types[0], vmap_method="sequential")
    found = call(*arrays, **{name: np.int64(number) for name, number in numbers.items()})
    return tuple(found) if len(types) > 1 else found
