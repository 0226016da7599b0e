import java.util.Scanner;

public class Main {
  public static void main(String[] arguments) {
    Scanner in = new Scanner(System.in);
    // d[i][j] = min(d[i][j], d[i][k] + d[k][j])
  }
}
