# The package of Debian: `cpack -G DEB` in the build folder. Shared libraries that it depends on are found by dpkg-shlibdeps.
set(CPACK_PACKAGE_NAME boustro)
set(CPACK_PACKAGE_VENDOR "the Boustro authors")
set(CPACK_PACKAGE_CONTACT "The Boustro authors <authors@boustro.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "translates Futhark programs and their derivatives to readable CUDA C++ and C++")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "Writes the functions of a Futhark program, and their derivatives in forward and reverse mode,
as CUDA C++ or C++17 that people can read and that needs nothing else at run time.
Runs, tests and profiles what it has written, on machines without a GPU, too.")
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)

# Clang's headers and those of the C++ library: what is written is read back by Clang's library. g++ compiles for the target cpp.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "libclang-common-${LLVM_VERSION_MAJOR}-dev, g++")
# clang++ compiles CUDA for the CPU, the others link it, with sanitizers if asked. CUDA's headers are needed for that, and nvcc verifies.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-${LLVM_VERSION_MAJOR}, libclang-rt-${LLVM_VERSION_MAJOR}-dev, libboost-context1.81-dev, \
cuda-toolkit | cuda-toolkit-13-0 | cuda-toolkit-12-9 | cuda-toolkit-12-8")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "cmake (>= 3.20)")
include(CPack)
