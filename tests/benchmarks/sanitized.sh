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
# With libstdc++ for the exceptions of OR-Tools; reports go to files, since pytest keeps stderr.
LD_PRELOAD="$(gcc -print-file-name="$library") $(gcc -print-file-name=libstdc++.so)" PYTHONMALLOC=malloc PYTHONPATH=. \
  ASAN_OPTIONS=detect_leaks=0:log_path="$PWD/report" UBSAN_OPTIONS=log_path="$PWD/report" \
  "$python" -m pytest -q -n 0 -p no:cacheprovider "$@" || failed=1
cat report.* 2>/dev/null && exit 1
exit ${failed:-0}
