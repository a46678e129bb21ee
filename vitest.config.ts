import { defineConfig } from 'vitest/config';

/** Where the counts of a test run are written as JSON, for `.ci/run`; empty when nobody asks for them. */
const results = process.env['TEST_RESULTS'] ?? '';

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts'],
    pool: 'forks',
    maxWorkers: 2,
    reporters: results === '' ? ['default'] : ['default', ['json', { outputFile: results }]],
    projects: ['unit', 'cli', 'faults', 'fuzz', 'worlds'].map((name) => ({
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        setupFiles: ['test/support/seed.ts'],
        // What was built is loaded by Node itself, as when it is started: it is what the tests are about.
        server: { deps: { external: [/\/(bundle|dist)\//] } },
        // Files share a process, one after the other. What they start and change, they end and undo themselves.
        isolate: false,
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    })),
  },
});
