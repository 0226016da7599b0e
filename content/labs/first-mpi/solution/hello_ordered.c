/* hello_ordered.c - the same greeting, but always in the order of the ranks.
 *
 * Only rank 0 prints, so only one process decides the order: it asks for the lines rank by rank.
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
    for (int from = 1; from < size; from++) {
      MPI_Recv(line, LINE, MPI_CHAR, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      printf("%s\n", line);
    }
  } else {
    MPI_Send(line, (int)strlen(line) + 1, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
  }

  MPI_Finalize();
  return 0;
}
