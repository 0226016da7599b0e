/**
 * A lost connection, told once: the platform's page around the notebook says so and takes it back
 * when the link is there again, while JupyterLab's dialog covers the work until it is dismissed.
 * Opened by itself, outside a frame, JupyterLab keeps its dialog: nobody else would tell.
 *
 * A prebuilt extension is a module federation container, as `theme-by-system` explains.
 */
(() => {
  const name = '@hypercube/connection-told-by-page';
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
      const { ConnectionLost, IConnectionLost } = await load('@jupyterlab/application');
      const plugin = {
        id: `${name}:plugin`,
        autoStart: true,
        provides: IConnectionLost,
        activate() {
          if (window.parent === window) return ConnectionLost;
          let isTold = false;
          // Called at every failed request; JupyterLab goes on trying by itself.
          return async () => {
            if (isTold) return;
            isTold = true;
            console.info('The connection to the notebook server is lost; the page around says so.');
          };
        },
      };
      return () => ({ __esModule: true, default: plugin });
    },
  };
})();
