/* pi.c - pi as the area under 4 / (1 + x^2) between 0 and 1, by the midpoint rule with n strips.
 *
 * usage: pi N
 *
 * The strips are dealt out like cards: rank r takes strips r, r + size, r + 2 size, ...
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const long n = argc > 1 ? atol(argv[1]) : 10000000;
  const double h = 1.0 / n;

  MPI_Barrier(MPI_COMM_WORLD); /* so that all clocks start together */
  const double start = MPI_Wtime();

  double share = 0;
  for (long i = rank; i < n; i += size) {
    const double x = (i + 0.5) * h;
    share += 4.0 / (1.0 + x * x);
  }
  share *= h;

  double pi = 0;
  MPI_Reduce(&share, &pi, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);

  const double seconds = MPI_Wtime() - start;
  if (rank == 0) {
    printf("ranks %d  n %ld  pi %.15f  error %.3e  seconds %.4f\n", size, n, pi, fabs(pi - M_PI),
           seconds);
  }

  MPI_Finalize();
  return 0;
}
