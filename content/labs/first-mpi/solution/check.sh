#!/bin/bash
# Checks the four exercises of this lab on real numbers. Runs in a copy of bundle + solution.
set -euo pipefail
# The container oversubscribes by default; another machine may not (first name: Open MPI 4, second: 5).
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

fail() { echo "wrong: $*"; exit 1; }
run() { timeout 60 mpirun -n "$@"; }

for name in hello hello_ordered ring exchange pi; do
  mpicc -O2 -Wall -o $name $name.c -lm
done
mpicc -O2 -Wall -DSYNCHRONOUS -o exchange_synchronous exchange.c

[ "$(run 4 ./hello | grep -c '^Hello from rank [0-3] of 4 on ')" = 4 ] || fail 'hello: four greetings'
echo 'hello: every one of 4 ranks greets'

for ranks in 1 3 4; do
  expected=$(for ((r = 0; r < ranks; r++)); do echo "Hello from rank $r of $ranks"; done)
  [ "$(run $ranks ./hello_ordered)" = "$expected" ] || fail "hello_ordered on $ranks ranks"
done
echo 'hello_ordered: in the order of the ranks on 1, 3 and 4 ranks'

for ranks in 1 2 4 5; do
  [ "$(run $ranks ./ring)" = "the token came home with $((ranks * (ranks - 1) / 2))" ] ||
    fail "ring on $ranks ranks: $(run $ranks ./ring)"
done
echo 'ring: the token comes home with 0 + 1 + … + (size - 1) on 1, 2, 4 and 5 ranks'

# A deadlock never ends, so the limit may be short; status 124 is timeout's own.
status=0
timeout 3 mpirun -n 4 ./exchange_synchronous unsafe 10 >/dev/null 2>&1 || status=$?
[ $status = 124 ] || fail "exchange unsafe: expected a deadlock with MPI_Ssend, status $status"
echo 'exchange unsafe: hangs even with 10 numbers once MPI_Send waits for the receiver'
for count in 10 1000000; do
  for program in exchange exchange_synchronous; do
    run 4 ./$program safe $count | grep -qx "4 ranks, $count numbers each: correct" ||
      fail "$program safe $count"
  done
done
echo 'exchange safe: correct with 10 and 1,000,000 numbers, also with MPI_Ssend'

for ranks in 1 3 4; do
  run $ranks ./pi 10000000 | awk -v ranks=$ranks '
    { print "pi:", $0; if ($2 != ranks || $8 + 0 > 1e-12 || $6 < 3.14159265358 || $6 > 3.14159265360) exit 1 }' ||
    fail "pi on $ranks ranks"
done

python3 run_notebook.py first-mpi.ipynb --figures 1
