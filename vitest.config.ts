import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

/** Where the counts of a test run are written as JSON, for `.ci/run`; empty when nobody asks for them. */
const results = process.env['TEST_RESULTS'] ?? '';

/**
 * Files that wait more than they work: for leases, time-outs, processes, terminals, a browser. They use next to no
 * processor, so more of them run at a time. `npm test` begins with them.
 */
const WAITERS = [
  'test/faults/**/*.test.ts',
  'test/cli/{ci-sample,completion,document-scripts,documents,journal-copy,kubernetes-sample,package,progress,review}.test.ts',
  'test/cli/{setup-dialog,shared-approvals,shared-doctor,waiting}.test.ts',
  'test/unit/journal/{death,interleaving}.test.ts',
  'test/unit/report/html/print.test.ts',
  'test/unit/support/cli.test.ts',
];

interface Pace {
  readonly exclude?: string[];
  readonly maxWorkers: number;
  /** Projects of one number run at the same time. */
  readonly groupOrder: number;
}

function project(name: string, include: string[], { exclude = [], maxWorkers, groupOrder }: Pace) {
  return {
    extends: true,
    test: {
      name,
      include,
      exclude,
      maxWorkers,
      sequence: { groupOrder },
      setupFiles: ['test/support/seed.ts'],
      // What was built is loaded by Node itself, as when it is started: it is what the tests are about.
      server: { deps: { external: [/\/(bundle|dist)\//] } },
      // Files share a process, one after the other. What they start and change, they end and undo themselves.
      isolate: false,
      // Only what hangs takes so long, however busy the machine is.
      testTimeout: 180_000,
      hookTimeout: 180_000,
    },
  } satisfies TestProjectInlineConfiguration;
}

export default defineConfig({
  test: {
    globalSetup: ['test/support/build.ts', 'test/support/memory.ts'],
    pool: 'forks',
    reporters: results === '' ? ['default'] : ['default', ['json', { outputFile: results }]],
    projects: [
      project('waits', WAITERS, { maxWorkers: 6, groupOrder: 1 }),
      project('works', ['test/{unit,cli,fuzz,worlds}/**/*.test.ts'], {
        exclude: WAITERS,
        maxWorkers: 2,
        groupOrder: 2,
      }),
    ],
  },
});
