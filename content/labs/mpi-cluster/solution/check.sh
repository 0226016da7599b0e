#!/bin/bash
# Checks the exercises of this lab on real numbers. Runs in a copy of bundle + solution, on three nodes.
set -euo pipefail

fail() { echo "wrong: $*"; exit 1; }
run() { timeout 60 mpirun "$@"; }

mpicc -O2 -Wall -Werror -o where where.c
mpicc -O2 -Wall -Werror -o pingpong pingpong.c

[ "$(run -n 3 ./where | sort)" = "rank 0 of 3 on head: 0 of 1 here
rank 1 of 3 on node2: 0 of 1 here
rank 2 of 3 on node3: 0 of 1 here" ] || fail "where on 3 ranks: $(run -n 3 ./where)"
[ "$(run -n 6 ./where | grep -c ': [01] of 2 here$')" = 6 ] || fail 'where on 6 ranks'
echo 'where: one rank on each node, then two that know of each other'

for hosts in head:2 head,node2 node2,node3; do
  run -n 2 --host $hosts ./pingpong 1048576 >$hosts.txt
  grep -qx 'the ball arrived' $hosts.txt || fail "pingpong on $hosts"
  awk -v hosts=$hosts '
    $1 == 1 { latency = $2 } $1 == 1048576 { bandwidth = $3 }
    END {
      printf "pingpong %s: %.1f us, %.0f MB/s\n", hosts, latency, bandwidth
      exit !(latency > 0.05 && latency < 2000 && bandwidth > 20)
    }' $hosts.txt || fail "pingpong on $hosts: $(cat $hosts.txt)"
done

python3 run_notebook.py mpi-cluster.ipynb --figures 1
