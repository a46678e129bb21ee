import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../../../src/keys/canonical.js';
import { checkRecord } from '../../../src/records/check.js';
import type { Finding } from '../../../src/records/issue.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { readFile, readOptions } from './reading.js';

const SAMPLES = fileURLToPath(new URL('../../../samples/', import.meta.url));
const NOW = Date.parse('2026-11-20');
/** Found by comparing records with each other, which is not done here. */
const ACROSS_RECORDS = new Set(['duplicate-key', 'identical-rows', 'price-conflict', 'unpriced']);

/** Reads and checks a sample: canonical bodies, and a line of samples/README.md for each finding. */
async function checked(name: string): Promise<{ bodies: string[]; rows: string[] }> {
  const [kind = RECORD_SCHEMAS.payout] = Object.values(RECORD_SCHEMAS).filter(({ type }) => name.startsWith(type));
  const { records, fault } = await readFile(name, readOptions({ cwd: SAMPLES, shape: kind }));
  expect(fault).toBeNull();
  const rows: string[] = [];
  const bodies = records.map(({ input, findings, line, record, unreadable, typed }) => {
    const found: Finding[] = [...findings];
    const report = (finding: Finding): void => void found.push(finding);
    const body = checkRecord(kind, input ?? {}, {
      now: NOW,
      report,
      ...(unreadable === undefined ? {} : { unreadable }),
      ...(typed === undefined ? {} : { typed }),
    });
    rows.push(
      ...found.map(({ severity, code, field }) => `| ${line} | ${record} | ${severity} | \`${code}\` | \`${field}\` |`),
    );
    return canonicalJson(body);
  });
  return { bodies, rows };
}

/** The table of a bad file in samples/README.md, without what is found across records. */
function tableOf(name: string): string[] {
  const readme = readFileSync(`${SAMPLES}README.md`, 'utf8');
  const section = readme.split(`### \`${name}\``)[1]?.split('\n### ')[0] ?? '';
  const rows = section.split('\n').filter((line) => /^\| \d+ /.test(line));
  return rows.filter((row) => !ACROSS_RECORDS.has(/`([a-z-]+)`/.exec(row)?.[1] ?? ''));
}

describe('samples', () => {
  it.each(['payouts', 'results', 'gigs'])(
    'of %s are the same records in each format, without fault or doubt',
    async (name) => {
      const [csv, json, ndjson] = await Promise.all(
        ['csv', 'json', 'ndjson'].map((format) => checked(`${name}.${format}`)),
      );
      expect(csv?.rows).toEqual([]);
      expect(json?.rows).toEqual([]);
      expect(ndjson?.rows).toEqual([]);
      expect(csv?.bodies.length).toBeGreaterThan(3);
      expect(json?.bodies).toEqual(csv?.bodies);
      expect(ndjson?.bodies).toEqual(csv?.bodies);
    },
  );

  it('of a payroll are 204 records without fault or doubt', async () => {
    const { bodies, rows } = await checked('payroll-2026-11.csv');
    expect(rows).toEqual([]);
    expect(bodies.length).toBe(204);
  });

  it.each(['payouts-bad.csv', 'results-bad.csv', 'gigs-bad.ndjson'])('%s gives what the README says', async (name) => {
    const expected = tableOf(name);
    expect(expected.length).toBeGreaterThan(10);
    expect((await checked(name)).rows).toEqual(expected);
  });
});
