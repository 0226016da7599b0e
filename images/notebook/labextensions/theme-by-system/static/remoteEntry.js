/**
 * Light or dark as the learner's system: JupyterLab can follow it by itself only from 4.2 on.
 *
 * A prebuilt extension is a module federation container: `init` receives the modules that
 * JupyterLab shares, `get` answers the plugin. Written by hand, it needs no build of its own.
 */
(() => {
  const name = '@hypercube/theme-by-system';
  // By path: each session has one of its own, and so has each learner's choice.
  const key = `${name}:${location.pathname.replace(/\/lab.*$/, '')}`;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  let shared;

  async function load(module) {
    const [version] = Object.values(shared[module]);
    return (await version.get())();
  }

  window._JUPYTERLAB = window._JUPYTERLAB ?? {};
  window._JUPYTERLAB[name] = {
    init(scope) {
      shared = scope;
    },
    async get() {
      const { IThemeManager } = await load('@jupyterlab/apputils');
      const { ISettingRegistry } = await load('@jupyterlab/settingregistry');
      const plugin = {
        id: `${name}:plugin`,
        autoStart: true,
        requires: [IThemeManager, ISettingRegistry],
        activate(app, themes, registry) {
          // Two themes loading at once trip over each other: the first has to be there.
          const isLoaded = new Promise((resolve) => {
            if (themes.theme !== null) resolve();
            else themes.themeChanged.connect(resolve);
          });
          const follow = async () => {
            await isLoaded;
            const settings = await registry.load('@jupyterlab/apputils-extension:themes');
            const chosen = settings.user.theme;
            // Neither untouched nor what was set here last: the learner's choice stays.
            if (chosen !== undefined && chosen !== localStorage.getItem(key)) return;
            const wanted = dark.matches ? 'JupyterLab Dark' : 'JupyterLab Light';
            if (themes.theme === wanted) return;
            localStorage.setItem(key, wanted);
            await themes.setTheme(wanted);
          };
          void app.restored.then(follow);
          dark.addEventListener('change', () => void follow());
        },
      };
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
