// Runs before the first paint, as a file of its own because the policy allows no inline script:
// sets the theme and the language of the document, and begins to load the texts of that language.
(function () {
  var root = document.documentElement;
  var chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Storage can be forbidden; the system's theme is the answer then.
  }
  var dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';

  var cookie = /(?:^|;\s*)language=([^;]+)/.exec(document.cookie);
  var language = cookie && cookie[1] === 'en-US' ? 'en-US' : 'zh-CN';
  root.lang = language;
  var chunk = root.getAttribute('data-texts-' + language.toLowerCase());
  if (chunk) {
    var link = document.createElement('link');
    link.rel = 'modulepreload';
    link.href = chunk;
    document.head.append(link);
  }
})();
