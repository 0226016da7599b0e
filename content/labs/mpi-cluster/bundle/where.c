/* where.c - which rank runs on which node, and how many share it? */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);

  int rank, size, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Get_processor_name(host, &length);

  /* Exercise 1: make a communicator of the ranks that share memory with this one
     (MPI_Comm_split_type with MPI_COMM_TYPE_SHARED), and ask it for the two numbers. */
  int local_rank = 0; /* my number among them     */
  int local_size = 0; /* how many there are of us */

  printf("rank %d of %d on %s: %d of %d here\n", rank, size, host, local_rank, local_size);

  MPI_Finalize();
  return 0;
}
