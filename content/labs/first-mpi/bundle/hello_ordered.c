/* hello_ordered.c - the same greeting, but always in the order of the ranks.
 *
 * Exercise 1: at the moment only rank 0 prints. Let every other rank send its line to rank 0, and let
 * rank 0 receive the lines of ranks 1, 2, 3, ... in this order and print each of them.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { LINE = 200, TAG = 7 };

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  char line[LINE];
  snprintf(line, LINE, "Hello from rank %d of %d", rank, size);

  if (rank == 0) {
    printf("%s\n", line);
    /* ... receive and print here ... */
  } else {
    /* ... send here; strlen(line) + 1 characters include the closing zero ... */
  }

  MPI_Finalize();
  return 0;
}
