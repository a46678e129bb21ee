import { defineConfig } from 'vitest/config';

/** Where the counts of a test run are written as JSON, for `.ci/run`; empty when nobody asks for them. */
const results = process.env['TEST_RESULTS'] ?? '';

export default defineConfig({
  test: {
    include: ['test/{unit,cli,faults,fuzz}/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    // Tests start real processes and servers: a process of its own for each file keeps their signals and handles apart.
    server: { deps: { external: [/\/bundle\//] } },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: results === '' ? ['default'] : ['default', ['json', { outputFile: results }]],
  },
});
