/** The Jobs of docs/containers.md: the program accepts them, and their retry policy is that of the exit codes. */
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type CliResult, workspace, type Workspace } from '../support/cli.js';
import { hoursAhead } from '../support/crash.js';
import { readPage, ROOT, tableBelow } from '../support/documents.js';
import { testService } from '../support/fixtures.js';

// oxlint-disable-next-line typescript/no-explicit-any -- the tests are what checks its shape
type Manifest = any;

const documentsOf = (name: string) => [...parseAllDocuments(readPage(`samples/kubernetes/${name}.yaml`))];
const DOCUMENTS = documentsOf('payroll');
const NIGHTLY = documentsOf('nightly');

function kind(name: string, documents = DOCUMENTS): Manifest {
  return documents.map((document) => document.toJS()).find((manifest) => manifest.kind === name);
}

const { spec: JOB } = kind('Job');
const POD = JOB.template.spec;
const [CONTAINER] = POD.containers;

/** Calls the program as the container does, with each volume as a folder of the workspace. Secrets are left out. */
async function call(
  work: Workspace,
  flags: readonly string[] = [],
  { container = CONTAINER, hours = 0 }: { container?: Manifest; hours?: number } = {},
): Promise<CliResult> {
  const mounts: string[] = container.volumeMounts.map(({ mountPath }: Manifest) => mountPath);
  const here = (text: string): string =>
    mounts.reduce((word, path) => word.replace(new RegExp(`(^|=)${path}/`), `$1${work.path(`mnt${path}`)}/`), text);
  const plain = container.env.filter(({ value }: Manifest) => value !== undefined);
  const env = Object.fromEntries(plain.map(({ name, value }: Manifest) => [name, here(value)]));
  expect(container.command).toEqual(['gigwork']);
  return work.run([...container.args.map(here), ...flags], { env: { ...hoursAhead(hours), ...env } });
}

/** The volumes as the manifest fills them. @param change of the settings */
function mounted(change: object = {}): Workspace {
  const work = workspace();
  const config = JSON.parse(kind('ConfigMap').data['config.json']);
  const token = { file: work.path(`mnt${config.token.file}`) };
  work.file('mnt/etc/gigwork/config.json', JSON.stringify({ ...config, token, ...change }));
  work.file(`mnt${config.token.file}`, kind('Secret').stringData.token);
  work.file('mnt/state/.keep', '');
  work.file('mnt/input/.keep', '');
  cpSync(join(ROOT, 'samples/payroll-2026-11.csv'), work.path('mnt/input/payroll.csv'));
  return work;
}

describe('the Job of docs/containers.md', () => {
  test('is YAML without a fault', () => {
    expect([...DOCUMENTS, ...NIGHTLY].flatMap(({ errors, warnings }) => [...errors, ...warnings])).toEqual([]);
  });

  test('is a command that the program accepts', async () => {
    const { code, summary, stderr } = await call(mounted({ require_journal: false }), ['--dry-run']);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    expect(summary.records).toMatchObject({ planned: 204, invalid: 0 });
  });

  test('pays with its token from the volume, goes on, and notices that the journal is gone', async () => {
    const service = await testService();
    const first = mounted({ base_url: service.url, require_journal: false });
    expect((await call(first)).summary).toMatchObject({ exit_code: 0, records: { created: 204 } });
    expect(service.requests[0]?.headers['authorization']).toBe(`Bearer ${kind('Secret').stringData.token}`);
    expect(first.read('mnt/state/attempts.ndjson').split('\n')).toHaveLength(205);
    const { base_url: _url, token: _token, ...required } = JSON.parse(kind('ConfigMap').data['config.json']);
    expect(required).toEqual({ require_journal: true });
    const config = JSON.parse(first.read('mnt/etc/gigwork/config.json'));
    first.file('mnt/etc/gigwork/config.json', JSON.stringify({ ...config, ...required }));
    expect((await call(first)).summary).toMatchObject({ exit_code: 0, records: { already_created: 204 } });
    const empty = mounted({ base_url: service.url });
    expect((await call(empty)).summary).toMatchObject({ exit_code: 2 });
    expect(service.requestCount).toBe(204);
  });
});

describe('the CronJob of docs/containers.md', () => {
  const { spec } = kind('CronJob', NIGHTLY);
  const job = spec.jobTemplate.spec;
  const [container] = job.template.spec.containers;
  const settings = kind('ConfigMap', NIGHTLY).data;

  /** A file as the query gives it: with its columns, and a row for each number. */
  function rows(...ids: number[]): string {
    const [, selected = ''] = /SELECT ([^]*?)\s+FROM/.exec(settings['payouts.sql']) ?? [];
    const columns = selected.split(',').map((column) => column.split(' AS ').at(-1)?.trim() ?? '');
    const valuesOf = (id: number): Record<string, string> => ({
      idempotency_key: `payout-${id}`,
      user_id: `u${id}`,
      amount: '5',
      title: 'Trip',
      currency: 'EUR',
      cost_center_key: 'PP-7',
      reference_id: `R${id}`,
    });
    const lines = ids.map((id) => columns.map((name) => valuesOf(id)[name]).join(','));
    return [columns.join(','), ...lines, ''].join('\n');
  }

  test('pays each row of the table once, in whichever night, and ends well where there is none', async () => {
    const service = await testService();
    const work = workspace();
    const config = { ...JSON.parse(settings['config.json']), base_url: service.url, require_journal: false };
    work.file('mnt/run/secrets/gigwork/token', kind('Secret', NIGHTLY).stringData.token);
    const token = { file: work.path('mnt/run/secrets/gigwork/token') };
    work.file('mnt/etc/gigwork/config.json', JSON.stringify({ ...config, token }));
    const night = async (hours: number, ids: number[], ...flags: string[]) => {
      work.file('mnt/input/payouts.csv', rows(...ids));
      const { summary } = await call(work, flags, { container, hours });
      return [summary.exit_code, summary.records.planned, summary.records.created, summary.records.already_created];
    };
    expect(await night(0, [1, 2], '--dry-run')).toEqual([0, 2, 0, 0]);
    expect(await night(0, [1, 2])).toEqual([0, 0, 2, 0]);
    expect(await night(24, [1, 2, 3])).toEqual([0, 0, 1, 2]);
    expect(await night(48, [])).toEqual([0, 0, 0, 0]);
    expect(service.requestCount).toBe(3);
  });

  test('never has two pods at once, requires its journal in PostgreSQL, and has the Job’s retry policy', () => {
    expect([spec.concurrencyPolicy, job.parallelism, job.template.spec.restartPolicy]).toEqual(['Forbid', 1, 'Never']);
    expect(job.podFailurePolicy).toEqual(JOB.podFailurePolicy);
    expect(JSON.parse(settings['config.json']).require_journal).toBe(true);
    const journal = container.env.find(({ name }: Manifest) => name === 'GIGWORK_JOURNAL').valueFrom.secretKeyRef;
    expect(kind('Secret', NIGHTLY).stringData[journal.key]).toMatch(/^postgresql:.*sslmode=verify-full/);
  });
});

describe('the retry policy', () => {
  const rules: Manifest[] = JOB.podFailurePolicy.rules;
  const codesOf = (action: string): number[] =>
    rules.filter((rule) => rule.action === action).flatMap(({ onExitCodes }) => onExitCodes?.values ?? []);
  /** Codes of the commands that send, as the reference has them; the codes of other signals stand in the last row. */
  const codes = tableBelow(readPage('docs/reference/exit-codes.md'), '# Exit codes').flatMap(
    ([code = '', words = '']) => [Number(code), ...[...words.matchAll(/\b1\d\d\b/g)].map(([other]) => Number(other))],
  );

  test('fails at once for a person’s codes, and counts all others', () => {
    expect(codes.toSorted((one, other) => one - other)).toEqual([0, 1, 2, 3, 4, 5, 6, 129, 130, 143]);
    expect(codesOf('FailJob')).toEqual([1, 2, 3, 4, 6]);
    const retried = codes.filter((code) => code > 4 && code !== 6);
    // 137 is the system's: the process was killed.
    expect(codesOf('Count')).toEqual([...retried, 137].toSorted((one, other) => one - other));
    expect(POD.restartPolicy).toBe('Never');
    const named = rules.flatMap(({ onExitCodes }) => onExitCodes?.containerName ?? []);
    expect(named).toEqual([CONTAINER.name, CONTAINER.name]);
  });

  test('is what the page says', () => {
    const told = tableBelow(readPage('docs/containers.md'), '## Exit codes as a retry policy');
    const of = (word: string): number[] =>
      told.filter(([, meaning]) => meaning?.startsWith(word)).flatMap(([cell = '']) => cell.split(', ').map(Number));
    expect(of('a person')).toEqual(codesOf('FailJob'));
    expect(of('retry').toSorted((one, other) => one - other)).toEqual(codesOf('Count'));
    expect(of('complete')).toEqual([0]);
  });
});
