import { describe, expect, it } from 'vitest';
import { dry } from '../support/dry.js';

const GOOD = 'user_id,amount,title,cost_center_key\n';

describe('what cannot be read is refused, with the place', () => {
  const cases: readonly (readonly [file: string, content: string, code: string, line: number])[] = [
    ['unclosed.csv', `${GOOD}u1,10,ok,K\nu2,10,"open,K\nu3,10,x,K\n`, 'bad-csv', 3],
    ['unnamed.csv', 'user_id,amount,title,cost_center_key,\nu1,10,t,K,x\n', 'bad-csv', 2],
    ['twice.csv', 'user_id,amount,title,amount,cost_center_key\nu1,10,t,11,K\n', 'duplicate-column', 1],
    ['data.csv', '4711;12,50;01.11.2026\n4712;13,50;02.11.2026\n', 'header-like-data', 1],
  ];

  it('and nothing of the run is sent', async () => {
    const { events, summary } = await dry(Object.fromEntries(cases));
    expect(summary.exit_code).toBe(3);
    expect(summary.stop_reason).toBe('invalid_input');
    for (const [file, , code, line] of cases) {
      const found = events.filter((event) => event.event === 'issue' && event.file === file);
      expect(found, file).toMatchObject([{ severity: 'error', code, line }]);
    }
  });

  it.each<[string, string, RegExp]>([
    ['nothing at all', '', /has no records/],
    ['a header alone', GOOD, /column names, but no rows/],
    ['a header and blank rows', `${GOOD},,,\n,,,\n\n`, /column names, but no rows/],
  ])('%s has no records', async (_name, text, message) => {
    const { events, code } = await dry({ 'in.csv': text });
    expect(code).toBe(3);
    expect(events.filter(({ event }) => event === 'issue')).toMatchObject([
      { code: 'no-records', message: expect.stringMatching(message) },
    ]);
  });
});
