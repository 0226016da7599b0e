/* ring.c - a token walks through all ranks; each adds its own number to it.
 */
#include <mpi.h>
#include <stdio.h>

enum { TAG = 1 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  const int left = (rank - 1 + size) % size;
  const int right = (rank + 1) % size;

  int token = 0;
  if (size == 1) {
    printf("the token came home with %d\n", token); /* nobody to hand it to */
  } else if (rank == 0) {
    /* Rank 0 starts the walk, so it sends first; all others receive first. This asymmetry is what
     * keeps the ring from waiting for itself. */
    MPI_Send(&token, 1, MPI_INT, right, TAG, MPI_COMM_WORLD);
    MPI_Recv(&token, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("the token came home with %d\n", token);
  } else {
    MPI_Recv(&token, 1, MPI_INT, left, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    token += rank;
    MPI_Send(&token, 1, MPI_INT, right, TAG, MPI_COMM_WORLD);
  }

  MPI_Finalize();
  return 0;
}
