import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;

public class Main {
  public static void main(String[] arguments) throws IOException {
    StreamTokenizer in =
        new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
    // f(i, j)
  }
}
