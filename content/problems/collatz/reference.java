import java.util.Scanner;

public class Main {
  public static void main(String[] arguments) {
    int n = new Scanner(System.in).nextInt();
    int[] length = new int[n + 1];
    length[1] = 1;
    int best = 1;
    for (int start = 2; start <= n; start++) {
      long x = start;
      int steps = 0;
      while (x >= start) {
        x = x % 2 == 0 ? x / 2 : 3 * x + 1;
        steps++;
      }
      length[start] = steps + length[(int) x];
      if (length[start] > length[best]) best = start;
    }
    System.out.println(best + " " + length[best]);
  }
}
