import { defineConfig } from 'vitest/config';

/** Where the counts of a test run are written as JSON, for `.ci/run`; empty when nobody asks for them. */
const results = process.env['TEST_RESULTS'] ?? '';

/** How many files run at a time, on two cores: many of them wait, for leases, time-outs, processes, terminals, a browser. */
const WORKERS = 5;

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/memory.ts'],
    pool: 'forks',
    reporters: results === '' ? ['default'] : ['default', ['json', { outputFile: results }]],
    maxWorkers: WORKERS,
    projects: ['faults', 'unit', 'cli', 'fuzz', 'worlds'].map((name) => ({
      extends: true,
      test: {
        name,
        include: [`test/${name}/**/*.test.ts`],
        setupFiles: ['test/support/seed.ts'],
        // What was built is loaded by Node itself, as when it is started: it is what the tests are about.
        server: { deps: { external: [/\/(bundle|dist)\//] } },
        // Files share a process, one after the other. What they start and change, they end and undo themselves.
        isolate: false,
        // Only what hangs takes so long, however busy the machine is.
        testTimeout: 180_000,
        hookTimeout: 180_000,
      },
    })),
  },
});
