import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StreamTokenizer;
import java.util.Arrays;

public class Main {
  static final int FAR = 1_000_000_000;

  static int next(StreamTokenizer in) throws IOException {
    in.nextToken();
    return (int) in.nval;
  }

  public static void main(String[] arguments) throws IOException {
    StreamTokenizer in = new StreamTokenizer(new BufferedReader(new InputStreamReader(System.in)));
    int n = next(in), m = next(in);
    int[][] d = new int[n][n];
    for (int i = 0; i < n; i++) {
      Arrays.fill(d[i], FAR);
      d[i][i] = 0;
    }
    for (int e = 0; e < m; e++) {
      int u = next(in), v = next(in), w = next(in);
      d[u][v] = Math.min(d[u][v], w);
    }
    for (int k = 0; k < n; k++)
      for (int i = 0; i < n; i++) {
        int via = d[i][k];
        if (via == FAR) continue;
        for (int j = 0; j < n; j++) d[i][j] = Math.min(d[i][j], via + d[k][j]);
      }
    StringBuilder out = new StringBuilder();
    for (int[] row : d) {
      for (int j = 0; j < n; j++) out.append(j == 0 ? "" : " ").append(row[j] >= FAR ? -1 : row[j]);
      out.append('\n');
    }
    System.out.print(out);
  }
}
