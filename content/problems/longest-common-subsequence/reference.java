import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;

public class Main {
  public static void main(String[] arguments) throws IOException {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    String s = in.readLine().trim();
    String t = in.readLine().trim();
    int[] row = new int[t.length() + 1];
    for (int i = 0; i < s.length(); i++) {
      int corner = 0;
      for (int j = 1; j <= t.length(); j++) {
        int above = row[j];
        row[j] = s.charAt(i) == t.charAt(j - 1) ? corner + 1 : Math.max(row[j], row[j - 1]);
        corner = above;
      }
    }
    System.out.println(row[t.length()]);
  }
}
