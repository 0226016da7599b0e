#include <stdio.h>
#include <string.h>

static char s[2002], t[2002];
static int row[2002];

int main(void) {
  if (scanf("%2001s %2001s", s, t) != 2) return 1;
  int n = (int)strlen(s), m = (int)strlen(t);
  for (int i = 0; i < n; i++) {
    int corner = 0;
    for (int j = 1; j <= m; j++) {
      int above = row[j];
      if (s[i] == t[j - 1])
        row[j] = corner + 1;
      else if (row[j - 1] > row[j])
        row[j] = row[j - 1];
      corner = above;
    }
  }
  printf("%d\n", row[m]);
  return 0;
}
