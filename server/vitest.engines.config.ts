import { defineConfig } from 'vitest/config';

/** Tests against real engines: containers, firewall rules, images. They need root on Linux. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['src/engines/**/*.engines.test.ts'],
    // They share one machine's engine, and its two cores.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 15 * 60_000,
    restoreMocks: true,
  },
});
