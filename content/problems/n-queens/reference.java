import java.util.Scanner;
import java.util.stream.IntStream;

public class Main {
  static long place(int all, int columns, int left, int right) {
    if (columns == all) return 1;
    long count = 0;
    for (int free = all & ~(columns | left | right); free != 0; free &= free - 1) {
      int queen = free & -free;
      count += place(all, columns | queen, (left | queen) << 1, (right | queen) >> 1);
    }
    return count;
  }

  public static void main(String[] arguments) {
    int n = new Scanner(System.in).nextInt();
    int all = (1 << n) - 1;
    System.out.println(
        IntStream.range(0, n)
            .parallel()
            .mapToLong(column -> place(all, 1 << column, 2 << column, (1 << column) >> 1))
            .sum());
  }
}
