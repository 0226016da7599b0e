import { defineConfig } from 'vitest/config';

/**
 * Where nobody watches, a test on real parts is tried once more, as in the browser; what passes
 * only then is named at the end of `npm test`.
 */
const retry = process.env['CI'] ? 1 : 0;

/** Layers of tests; each can run alone: `npm run test:rules`, `npm run test:server`, … */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'rules',
          include: ['{contract,messages,content,server,web,scripts}/**/*.rules.test.{ts,tsx}'],
          exclude: ['**/node_modules/**'],
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          exclude: ['**/node_modules/**', '**/*.rules.test.ts', '**/*.engines.test.ts'],
          globalSetup: 'server/src/testing/global-setup.ts',
          retry,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'engines',
          include: ['server/src/**/*.engines.test.ts', 'content/**/*.engines.test.ts'],
          exclude: ['**/node_modules/**'],
          globalSetup: 'server/src/testing/global-setup.ts',
          fileParallelism: false,
          retry,
          testTimeout: 180_000,
          hookTimeout: 1_200_000,
        },
      },
    ],
  },
});
