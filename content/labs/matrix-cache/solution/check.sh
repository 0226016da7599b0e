#!/bin/bash
# Checks the four loop orders on sizes that are and are not multiples of the block, then their speed.
# Runs in a copy of bundle + solution. The measured ratio is 10 to 60; the check asks for 3.
set -euo pipefail
flags='-O3 -march=native -fno-loop-interchange -Wall'

fail() { echo "wrong: $*"; exit 1; }

gcc -O2 -Wall -o stride stride.c
gcc $flags -o matmul matmul.c -lm

./stride >stride.txt
[ "$(grep -c ' sum 4194304 ' stride.txt)" = 13 ] || fail 'stride: every order must give the same sum'
awk '{ time[$2] = $7 }
     END { printf "stride: %.2f ns/element with stride 1, %.2f with stride 512\n", time[1], time[512] }' stride.txt

for kernel in ijk ikj jki blocked; do
  for n in 1 63 64 200 257; do
    ./matmul $kernel $n >line.txt || { cat line.txt; fail "$kernel, n = $n"; }
  done
  echo "$kernel: right for n = 1, 63, 64, 200 and 257"
done
gcc $flags -DBLOCK=7 -o matmul_7 matmul.c -lm
./matmul_7 blocked 100 >/dev/null || fail 'blocked with blocks of 7'

for kernel in ijk ikj jki blocked; do ./matmul $kernel 512; done | tee speed.txt
awk '{ time[$1] = $5 }
     END { exit !(time["jki"] > 3 * time["ikj"] && time["jki"] > 3 * time["blocked"]) }' speed.txt ||
  fail 'jki should take at least 3 times as long as ikj and as blocked'

python3 run_notebook.py matrix-cache.ipynb --figures 3
