#!/bin/bash
# Checks the race, the three repairs and the layout of the counters. Runs in a copy of bundle + solution.
# Only the first and the third depend on time at all; their margins are 10 runs and a factor of 3.
set -euo pipefail
export OMP_NUM_THREADS=4 OMP_DYNAMIC=false

fail() { echo "wrong: $*"; exit 1; }

gcc -O0 -Wall -fopenmp -o race race.c
for name in lost_update sum harmonic false_sharing; do
  gcc -O2 -Wall -fopenmp -o $name $name.c
done

./lost_update | grep -qx '4 threads added 1 each, and the sum is 1' || fail lost_update
echo 'lost_update: four additions of 1 give 1, every time'

wrong=$(./race 20000000 10 | awk '/runs wrong/ { print $1 }')
[ "$wrong" -ge 1 ] || fail 'race: all 10 runs were right'
echo "race: $wrong of 10 runs are wrong"

for n in 1000003 4000000; do
  for threads in 1 3 4; do
    OMP_NUM_THREADS=$threads ./sum $n >sum.txt
    [ "$(grep -c ' right ' sum.txt)" = 4 ] || { cat sum.txt; fail "sum $n on $threads threads"; }
  done
done
echo 'sum: serial, critical, atomic and reduction are right on 1, 3 and 4 threads'
./sum 4000000 | awk '
  { time[$1] = $4 }
  END {
    printf "sum: critical %.1f, atomic %.1f, reduction %.2f ns/element\n", time["critical"],
      time["atomic"], time["reduction"]
    exit !(time["critical"] > 3 * time["reduction"])
  }' || fail 'sum: the reduction should be at least 3 times faster than the critical section'

./harmonic 10000000 | awk '
  { d = $3 - 16.69531136585985; if (d < 0) d = -d; if (d > 1e-11) bad = 1; seen[$3] = 1 }
  END { exit bad || NR != 4 || length(seen) < 2 }' ||
  fail 'harmonic: four sums, all close to H(10^7), not all equal'
echo 'harmonic: the sums agree to 1e-11 and differ in the last digits'

./false_sharing 5000000 >sharing.txt
cat sharing.txt
grep -q '^packed .* 4 of 4 share a line  right ' sharing.txt || fail 'false_sharing: packed'
grep -q '^padded  64 bytes each  0 of 4 share a line  right ' sharing.txt || fail 'false_sharing: padded'

python3 run_notebook.py openmp-reduction.ipynb --figures 1
