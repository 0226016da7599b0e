import java.util.Scanner;

public class Main {
  public static void main(String[] arguments) {
    Scanner in = new Scanner(System.in);
    // place the queens row by row
  }
}
