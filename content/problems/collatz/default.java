import java.util.Scanner;

public class Main {
  public static void main(String[] arguments) {
    Scanner in = new Scanner(System.in);
    // follow a number until it is 1
  }
}
