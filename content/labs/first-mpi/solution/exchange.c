/* exchange.c - all ranks pass a vector to their right-hand neighbour at the same time.
 *
 * usage: exchange unsafe|safe COUNT
 *
 * Compiled with -DSYNCHRONOUS every MPI_Send waits until its receiver has arrived. A program that hangs
 * then was never correct; it was only lucky with small messages.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef SYNCHRONOUS
#define MPI_Send MPI_Ssend
#endif

enum { TAG = 3 };

/* Everybody sends first and receives second: a deadlock as soon as MPI_Send has to wait. */
static void exchange_unsafe(double *out, double *in, int count, int left, int right) {
  MPI_Send(out, count, MPI_DOUBLE, right, TAG, MPI_COMM_WORLD);
  MPI_Recv(in, count, MPI_DOUBLE, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void exchange_safe(double *out, double *in, int count, int left, int right) {
  /* One call that promises both, so the library may serve the receive while the send waits. */
  MPI_Sendrecv(out, count, MPI_DOUBLE, right, TAG, in, count, MPI_DOUBLE, left, TAG, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank - 1 + size) % size;
  const int right = (rank + 1) % size;

  const int safe = argc > 1 && strcmp(argv[1], "safe") == 0;
  const int count = argc > 2 ? atoi(argv[2]) : 10;
  double *out = malloc(count * sizeof *out);
  double *in = malloc(count * sizeof *in);
  for (int i = 0; i < count; i++) {
    out[i] = rank;
    in[i] = -1;
  }

  (safe ? exchange_safe : exchange_unsafe)(out, in, count, left, right);

  /* Rank r must now hold the number of its left-hand neighbour, in every element. */
  int wrong = 0;
  for (int i = 0; i < count; i++) wrong += in[i] != left;
  int wrong_anywhere;
  MPI_Reduce(&wrong, &wrong_anywhere, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    printf("%d ranks, %d numbers each: %s\n", size, count, wrong_anywhere ? "WRONG" : "correct");
  }

  free(out);
  free(in);
  MPI_Finalize();
  return 0;
}
