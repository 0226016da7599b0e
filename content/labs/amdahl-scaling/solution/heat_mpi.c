/* heat_mpi.c - the plate of heat.c, cut into strips of rows, one strip per process.
 *
 * usage: heat_mpi ROWS COLUMNS STEPS     every process holds ROWS rows: more processes, larger plate
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static const double R = 0.2; /* time step over grid spacing squared; stable up to 0.25 */

/* Rows 1 ... rows are ours. Row 0 is a copy of the last row of `above`, row rows + 1 a copy of the first
 * row of `below`. At the edge of the plate the neighbour is MPI_PROC_NULL: sending there and receiving
 * from there does nothing, so the edge stays 0 without an if. */
static void exchange(double *u, int rows, int w, int above, int below) {
  enum { UP = 1, DOWN = 2 };
  MPI_Sendrecv(&u[1 * w], w, MPI_DOUBLE, above, UP, &u[(rows + 1) * w], w, MPI_DOUBLE, below, UP,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(&u[rows * w], w, MPI_DOUBLE, below, DOWN, &u[0], w, MPI_DOUBLE, above, DOWN,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const int rows = argc > 1 ? atoi(argv[1]) : 300;
  const int columns = argc > 2 ? atoi(argv[2]) : 800;
  const int steps = argc > 3 ? atoi(argv[3]) : 200;
  const int w = columns + 2;
  const int all_rows = rows * size;
  const int above = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  const int below = rank < size - 1 ? rank + 1 : MPI_PROC_NULL;

  double *u = calloc(2L * (rows + 2) * w, sizeof *u), *next = u + (long)(rows + 2) * w;
  double *const memory = u;
  for (int i = 1; i <= rows; i++) {
    const double y = sin(M_PI * (rank * rows + i) / (all_rows + 1));
    for (int j = 1; j <= columns; j++) u[i * w + j] = y * sin(M_PI * j / (columns + 1));
  }
  const double shrink = 1 - 4 * R * (pow(sin(M_PI / (2 * (all_rows + 1))), 2) +
                                     pow(sin(M_PI / (2 * (columns + 1))), 2));

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; step++) {
    exchange(u, rows, w, above, below);
    for (int i = 1; i <= rows; i++) {
      for (int j = 1; j <= columns; j++) {
        const int c = i * w + j;
        next[c] = u[c] + R * (u[c - 1] + u[c + 1] + u[c - w] + u[c + w] - 4 * u[c]);
      }
    }
    double *const swap = u;
    u = next;
    next = swap;
  }
  double mine[2] = {MPI_Wtime() - start, 0}, worst[2];

  for (int i = 1; i <= rows; i++) {
    const double y = pow(shrink, steps) * sin(M_PI * (rank * rows + i) / (all_rows + 1));
    for (int j = 1; j <= columns; j++) {
      mine[1] = fmax(mine[1], fabs(u[i * w + j] - y * sin(M_PI * j / (columns + 1))));
    }
  }
  MPI_Allreduce(mine, worst, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD); /* the slowest, the least exact */
  if (rank == 0) {
    printf("ranks %d  rows %d  seconds %.4f  %s\n", size, all_rows, worst[0],
           worst[1] < 1e-11 ? "right" : "WRONG");
  }
  free(memory);
  MPI_Finalize();
  return worst[1] < 1e-11 ? 0 : 1;
}
