#!/bin/bash
# Checks that both programs are mended, and that gdb can look into them. Runs in a copy of bundle + solution.
set -euo pipefail
# The container oversubscribes by default; another machine may not (first name: Open MPI 4, second: 5).
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe

fail() { echo "wrong: $*"; exit 1; }

gcc -g -O0 -Wall -Werror -o crash crash.c
./crash >crash.txt || fail "crash ends with status $?"
[ "$(grep -c '^particle [0-9]*: 0\.[0-9][0-9] 0\.[0-9][0-9]$' crash.txt)" = 286 ] || fail 'crash: particles'
[ "$(grep -c ': not found$' crash.txt)" = 48 ] || fail 'crash: particles that are not there'
grep -qx 'particle 6: not found' crash.txt || fail 'crash: particle 6'
echo 'crash: 286 particles are told, 48 are not found'

gdb -quiet -nx -batch -ex 'set debuginfod enabled off' -ex 'break find if id == 9' -ex run -ex backtrace ./crash >gdb.txt 2>&1 ||
  fail "gdb: $(cat gdb.txt)"
grep -Eq '^#2 .* main \(\) at crash\.c:' gdb.txt || fail "gdb: $(cat gdb.txt)"
echo 'gdb: stops where it is told, and knows who called'

mpicc -g -O0 -Wall -Werror -o hang hang.c
for ranks in 1 2 4; do
  output=$(timeout 30 mpirun -n $ranks ./hang) || fail "hang on $ranks ranks: status $?"
  [ "$output" = "the sum over $ranks ranks is $((ranks * (ranks - 1) / 2))" ] || fail "hang: $output"
done
echo 'hang: ends with the right sum on 1, 2 and 4 ranks'
