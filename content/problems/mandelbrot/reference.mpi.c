#include <mpi.h>
#include <stdio.h>

static int stays(double cx, double cy, int k) {
  double x = 0, y = 0;
  for (int step = 0; step < k; step++) {
    double xx = x * x, yy = y * y;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
    if (x * x + y * y > 4) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  int rank, size, input[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0 && scanf("%d %d", &input[0], &input[1]) != 2) MPI_Abort(MPI_COMM_WORLD, 1);
  MPI_Bcast(input, 2, MPI_INT, 0, MPI_COMM_WORLD);
  int n = input[0];
  long mine = 0, all = 0;
  for (int i = rank; i < n; i += size)
    for (int j = 0; j < n; j++) mine += stays(-2 + 3 * (j + 0.5) / n, -1.5 + 3 * (i + 0.5) / n, input[1]);
  MPI_Reduce(&mine, &all, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld\n", all);
  MPI_Finalize();
  return 0;
}
