/* ring.c - a token walks through all ranks; each adds its own number to it.
 *
 * Exercise 2: the chain 0 -> 1 -> ... -> size-1 is open: the last rank keeps the token. Close the ring so
 * that the token comes back to rank 0, which then prints
 *
 *     the token came home with <sum>
 *
 * It must work for any number of processes, also for one.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG = 1 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int token = 0;
  if (rank > 0) {
    MPI_Recv(&token, 1, MPI_INT, rank - 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token += rank;
  }
  if (rank < size - 1) {
    MPI_Send(&token, 1, MPI_INT, rank + 1, TAG, MPI_COMM_WORLD);
  } else {
    printf("the token stopped at rank %d with %d\n", rank, token);
  }

  MPI_Finalize();
  return 0;
}
