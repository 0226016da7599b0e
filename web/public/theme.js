// Runs before the first paint, as a file of its own because the policy allows no inline script:
// sets the theme and the language of the document, begins to load the texts of that language, and
// helps when the program itself cannot be loaded.
(function () {
  var root = document.documentElement;
  var chosen = null;
  try {
    chosen = localStorage.getItem('theme');
  } catch {
    // Storage can be forbidden; the system's theme is the answer then.
  }
  var dark =
    chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
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

  // The first script and style have no one to catch their failure: a deploy or a broken network is
  // helped by one reload; after that a sentence is better than an empty page.
  addEventListener(
    'error',
    function (event) {
      var isStyle = event.target instanceof HTMLLinkElement && event.target.rel === 'stylesheet';
      if (!isStyle && !(event.target instanceof HTMLScriptElement)) return;
      var last = 0;
      try {
        last = Number(sessionStorage.getItem('chunk-reload') || 0);
        sessionStorage.setItem('chunk-reload', String(Date.now()));
      } catch {
        last = Date.now();
      }
      if (Date.now() - last > 60000) {
        location.reload();
        return;
      }
      var told = document.getElementById('load-failed');
      if (told) told.hidden = false;
    },
    true,
  );
})();
