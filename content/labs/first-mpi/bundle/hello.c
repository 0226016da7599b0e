/* hello.c - every process says who it is. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* which one am I?   */
  MPI_Comm_size(MPI_COMM_WORLD, &size); /* how many are we?  */
  MPI_Get_processor_name(host, &length);

  printf("Hello from rank %d of %d on %s\n", rank, size, host);

  MPI_Finalize();
  return 0;
}
