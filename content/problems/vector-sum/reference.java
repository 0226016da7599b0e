import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;

public class Main {
  private static long next(StreamTokenizer in) throws IOException {
    in.nextToken();
    return (long) in.nval;
  }

  public static void main(String[] arguments) throws IOException {
    StreamTokenizer in =
        new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
    int n = (int) next(in);
    long[] a = new long[n];
    for (int i = 0; i < n; i++) a[i] = next(in);
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < n; i++) out.append(a[i] + next(in)).append(i + 1 < n ? ' ' : '\n');
    System.out.print(out);
  }
}
