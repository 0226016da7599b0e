/* hang.c - every rank adds its number to a sum that is passed along the chain. Never ends. */
#include <mpi.h>
#include <stdio.h>

enum { ALONG = 1, RESULT = 2 };

/* Receives the sum from the left, adds this rank's number, passes it on to the right. */
static long pass_along(long sum, int rank, int size) {
  int left = rank - 1, right = rank + 1;
  if (left >= 0)
    MPI_Recv(&sum, 1, MPI_LONG, left, ALONG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  sum += rank;
  if (right < size) MPI_Send(&sum, 1, MPI_LONG, right, ALONG, MPI_COMM_WORLD);
  return sum;
}

/* The last rank has the whole sum, and rank 0 is to know it. */
static long bring_home(long sum, int rank, int size) {
  int last = size - 1;
  if (rank == last) MPI_Send(&sum, 1, MPI_LONG, 0, ALONG, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(&sum, 1, MPI_LONG, last, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return sum;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  /* Exercise 2: some ranks never get past these lines. Find out which, and where they wait. */
  long sum = pass_along(0, rank, size);
  sum = bring_home(sum, rank, size);
  if (rank == 0) printf("the sum over %d ranks is %ld\n", size, sum);

  MPI_Finalize();
  return 0;
}
