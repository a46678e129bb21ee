import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openInputs } from '../../../src/prepare/inputs.js';
import { prepareInputs } from '../../../src/prepare/prepare.js';
import type { PreparedRecords } from '../../../src/prepare/prepared-records.js';
import type { InputOptions } from '../../../src/options.js';
import { sha256 } from '../../../src/keys/key.js';
import type { DraftRun } from '../../../src/journal/plan.js';
import { idOf } from '../../../src/journal/payment.js';
import { exampleRecord } from '../../../src/records/fields.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { RecordType } from '../../../src/records/types.js';
import type { Issue } from '../../../src/records/issue.js';
import { quietWorld } from '../../support/inside.js';
import { folder, readOptions } from '../input/reading.js';
import { AT, benchOn, type Process, START } from '../journal/journal-fixtures.js';
import { SQLITE } from '../journal/stores.js';
import { lookAt, send as sendLooked } from '../review/desk.js';

interface Options {
  readonly strict?: boolean;
  readonly skipInvalid?: boolean;
  readonly type?: RecordType;
  readonly batchId?: string;
}

interface Read {
  readonly prepared: PreparedRecords;
  readonly preparation: DraftRun;
  readonly issues: readonly Issue[];
}

/** Reads files of these contents for a run. */
async function read(
  { journal }: Process,
  contents: Readonly<Record<string, string>>,
  options: Options = {},
): Promise<Read> {
  const { strict = false, skipInvalid = true, type = 'payout', batchId = 'default' } = options;
  const cwd = folder();
  for (const [name, content] of Object.entries(contents)) writeFileSync(join(cwd, name), content);
  const issues: Issue[] = [];
  const preparation = await journal.prepare({ command: 'batch import', ...AT, batchId, startedAt: START, headers: [] });
  const input: InputOptions = {
    ...readOptions({ cwd, type }),
    template: null,
    files: Object.keys(contents),
    map: new Map(),
    mapMustMatch: [],
    ignoreColumns: new Set(),
    ignoreMustMatch: [],
    ignoreOtherColumns: false,
    prices: null,
    allowTotalRow: false,
    allowNegative: false,
    allowEmpty: false,
  };
  const world = { ...quietWorld(), cwd: () => cwd };
  const prepared = await prepareInputs(
    openInputs(
      input,
      world,
      () => {},
      new AbortController().signal,
      false,
      () => '',
    ),
    {
      batchId,
      keyColumns: [],
      strict,
      skipInvalid,
      now: Date.parse('2026-11-20'),
      lookup: { target: AT, journal },
      store: { preparation, journal, target: AT },
      keepBodies: () => false,
      onIssue: (issue) => issues.push(issue),
      onTasksWithoutId: () => undefined,
      onOuterIssue: (issue) => issues.push(issue),
      onChunk: () => Promise.resolve(),
      explain: null,
      world,
    },
  );
  return { prepared, preparation, issues };
}

/** The bodies that are stored for the records, null for none. */
async function stored({ journal }: Process, { prepared, preparation }: Read): Promise<(string | null)[]> {
  return journal.bodies(Array.from({ length: prepared.entries.length }, (_, index) => idOf(preparation.number, index)));
}

/** Everything that was read passes the gate and is sent. Gives the payments. */
async function send(process: Process, input: Read) {
  const looked = await lookAt(process, {}, input.prepared);
  const { run, ids } = await sendLooked(process, looked);
  await process.journal.end(run, { finishedAt: START, exitCode: 0, stopReason: null });
  return ids;
}

const HEADER = 'user_id,amount,title,cost_center_key';
const csv = (...rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;
const A = 'u1,10,One,PP-1';
const B = 'u2,20,Two,PP-1';

function statuses({ entries }: PreparedRecords): string[] {
  return Array.from({ length: entries.length }, (_, index) => entries.status(index));
}

function keysOf({ entries }: PreparedRecords): string[] {
  return Array.from({ length: entries.length }, (_, index) => entries.keyText(index));
}

describe('what is stored of an input', () => {
  it('is each valid record with the exact body that is sent: canonical JSON with its key', async () => {
    const process = await benchOn(SQLITE).process();
    const run = await read(process, { 'p.csv': csv(A, 'u3,0.10,"a ""b""",PP-1') });
    const [key, other] = keysOf(run.prepared);
    const bodies = await stored(process, run);
    expect(bodies).toEqual([
      `{"amount":10,"cost_center_key":"PP-1","idempotency_key":"${key}","title":"One","user_id":"u1"}`,
      `{"amount":0.1,"cost_center_key":"PP-1","idempotency_key":"${other}","title":"a \\"b\\"","user_id":"u3"}`,
    ]);
    expect(bodies.map((body) => sha256(body ?? ''))).toEqual(
      [0, 1].map((index) => run.prepared.entries.bodyHash(index)),
    );
  });

  it('is a gig without its key, which the service does not document', async () => {
    const process = await benchOn(SQLITE).process();
    const gig = {
      ...exampleRecord(RECORD_SCHEMAS.gig.fields, '2026-11-20'),
      title: 'Its own',
      idempotency_key: 'mine',
    };
    const run = await read(process, { 'g.ndjson': `${JSON.stringify(gig)}\n` }, { type: 'gig' });
    expect(
      run.issues.filter(({ severity }) => severity === 'error').map(({ code, field }) => `${code} ${field}`),
    ).toEqual([]);
    expect(keysOf(run.prepared)).toEqual(['mine']);
    expect((await stored(process, run))[0]).not.toMatch(/mine/);
  });

  it('is nothing of invalid records, and nothing of what follows them where they refuse the run', async () => {
    const process = await benchOn(SQLITE).process();
    const contents = { 'p.csv': csv(A, 'u2,x,Two,PP-1', B) };
    const skipping = await read(process, contents);
    expect([statuses(skipping.prepared), (await stored(process, skipping)).map((body) => body !== null)]).toEqual([
      ['pending', 'invalid', 'pending'],
      [true, false, true],
    ]);
    const refused = await read(process, contents, { skipInvalid: false });
    expect((await stored(process, refused)).map((body) => body !== null)).toEqual([true, false, false]);
    // What history is searched by is known of all the same.
    const prints = [0, 2].map((index) => refused.prepared.entries.fingerprint(index).content);
    expect(prints).toEqual([0, 2].map((index) => skipping.prepared.entries.fingerprint(index).content));
  });

  it('a record that is a payment already, with this very body, points at it instead', async () => {
    const process = await benchOn(SQLITE).process();
    const ids = await send(process, await read(process, { 'p.csv': csv(A, B) }));
    const again = await read(process, { 'p.csv': csv(B, 'u4,40,Four,PP-1', A) });
    expect([0, 1, 2].map((index) => again.prepared.entries.payment(index))).toEqual([
      ids[1],
      idOf(again.preparation.number, 1),
      ids[0],
    ]);
    expect((await stored(process, again)).map((body) => body !== null)).toEqual([false, true, false]);
  });

  it('one with other content under that key is stored', async () => {
    const process = await benchOn(SQLITE).process();
    const file = (amount: number): string => `${HEADER},idempotency_key\nu1,${amount},One,PP-1,k\n`;
    await send(process, await read(process, { 'p.csv': file(10) }));
    const again = await read(process, { 'p.csv': file(11) });
    expect([again.prepared.entries.payment(0), (await stored(process, again))[0]]).toEqual([
      idOf(again.preparation.number, 0),
      expect.stringContaining('"amount":11,'),
    ]);
  });
});
