#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  long n = 0;
  if (rank == 0 && scanf("%ld", &n) != 1) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(&n, 1, MPI_LONG, 0, MPI_COMM_WORLD);
  double h = 1.0 / (double)n, part = 0;
  for (long i = rank; i < n; i += size) {
    double x = ((double)i + 0.5) * h;
    part += 4.0 / (1.0 + x * x);
  }
  double sum = 0;
  MPI_Reduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%.6f\n", sum * h);
  MPI_Finalize();
  return 0;
}
