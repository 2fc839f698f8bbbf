#!/usr/bin/env bash
# Build the engine with sanitizers of GCC in a copy of the last commit, and run its tests there:
#     PYTHON=.venv/bin/python tests/benchmarks/sanitized.sh address,undefined tests/backends
set -euo pipefail
kinds=$1
shift
python=$(realpath -s "${PYTHON:-python}")
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
git archive HEAD | tar x -C "$copy"
cd "$copy"
CFLAGS="-fsanitize=$kinds -fno-omit-frame-pointer" LDFLAGS="-fsanitize=$kinds" \
  "$python" setup.py build_ext --inplace
case $kinds in
  *thread*) library=libtsan.so ;;
  *address*) library=libasan.so ;;
  *) library=libubsan.so ;;
esac
LD_PRELOAD=$(gcc -print-file-name="$library") PYTHONMALLOC=malloc PYTHONPATH=. \
  ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 UBSAN_OPTIONS=print_stacktrace=1 \
  "$python" -m pytest -q -n 0 -p no:cacheprovider "$@"
