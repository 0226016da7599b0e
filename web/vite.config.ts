import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * Tells /theme.js the addresses of the first text chunks, so that the chosen language begins to load
 * with the page instead of after the first script.
 */
function textChunks(): Plugin {
  return {
    name: 'text-chunks',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const attributes = Object.values(bundle ?? {}).flatMap((file) => {
          const language =
            file.type === 'chunk'
              ? /messages[\\/]src[\\/]([a-z]{2}-[A-Z]{2})[\\/]parts[\\/]first\.ts$/.exec(
                  file.facadeModuleId ?? '',
                )?.[1]
              : undefined;
          return language === undefined
            ? []
            : [`data-texts-${language.toLowerCase()}="/${file.fileName}"`];
        });
        return html.replace('<html lang="zh-CN"', `<html lang="zh-CN" ${attributes.join(' ')}`);
      },
    },
  };
}

const server = 'http://127.0.0.1:8080';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  plugins: [react(), textChunks()],
  resolve: {
    alias: {
      // The browser does not validate its own server's answers: the contract's schemas are types
      // to it. An inert stand-in keeps the validator out of the first load.
      zod: fileURLToPath(new URL('./src/kernel/inert-schema.ts', import.meta.url)),
    },
  },
  build: {
    target: 'es2022',
    // Pictures and fonts as files: the policy of the server allows no data: fonts.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 450,
    rolldownOptions: {
      output: {
        // What every page needs comes in two files, the one that seldom changes and ours, instead
        // of in dozens: each file costs a round trip where connections are few.
        codeSplitting: {
          groups: [
            {
              name: 'vendor',
              test: /node_modules[\\/](?:react|react-dom|scheduler|@tanstack)[\\/]/,
            },
            {
              name: 'core',
              test: /contract[\\/]src|web[\\/]src[\\/](?:kernel[\\/]|ui[\\/](?!editor[\\/]|chart[\\/]|form[\\/]|table[\\/]|[Oo]rder|markdown[\\/]MarkdownBody|markdown[\\/](?:transform|schema|markdown))|domains[\\/](?:site[\\/]|usage[\\/](?!History|history)|catalogue[\\/](?:ItemCard|card|search)|lab[\\/](?:LabCard|lab\.api)))/,
            },
          ],
        },
      },
    },
  },
  server: {
    port: 5173,
    proxy: { '/api': server, '/proxy': { target: server, ws: true } },
  },
});
