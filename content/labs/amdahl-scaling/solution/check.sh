#!/bin/bash
# Checks the numbers of both heat programs and the laws in scaling.py. Runs in a copy of bundle + solution.
# No speed-up is demanded: how many cores are free depends on the machine.
set -euo pipefail
export OMPI_MCA_rmaps_base_oversubscribe=1 PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export OMP_DYNAMIC=false

fail() { echo "wrong: $*"; exit 1; }

gcc -O2 -Wall -fopenmp -o heat heat.c -lm
mpicc -O2 -Wall -o heat_mpi heat_mpi.c -lm

for threads in 1 2 3 4; do
  OMP_NUM_THREADS=$threads ./heat 301 100 10 >line.txt || { cat line.txt; fail "heat, $threads threads"; }
  cat line.txt
  grep -q "^threads $threads  workers $threads .* right$" line.txt ||
    fail "heat: $threads threads, but not all of them got rows"
done

for ranks in 1 2 3 4; do
  timeout 60 mpirun -n $ranks ./heat_mpi 40 200 100 >line.txt || { cat line.txt; fail "heat_mpi, $ranks ranks"; }
  cat line.txt
  grep -q "^ranks $ranks  rows $((40 * ranks)) .* right$" line.txt || fail "heat_mpi on $ranks ranks"
done

python3 check_scaling.py
python3 run_notebook.py amdahl-scaling.ipynb --figures 3
