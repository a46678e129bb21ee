import { describe, expect, it } from 'vitest';
import type { ReviewReport, UndecidedRepeats } from '../../../src/report/reporter.js';
import { alike, part, REVIEW, total, UNDECIDED } from './reviews.js';
import { answering } from './typing.js';

const LAST = { run: '20261120-a1b2c3', day: '2026-11-20', file: 'payroll.csv' };
const SENT = { sent: 3, last: LAST };
const SIMILAR = { similar: 4, alike: [alike('7', '5')] };

function review(undecided: Partial<UndecidedRepeats>, others = 6, change: Partial<ReviewReport> = {}): ReviewReport {
  const toSend = others === 0 ? part() : part(total('5', { count: others }));
  return { ...REVIEW, toSend, undecided: { ...UNDECIDED, ...undecided }, ...change };
}

/** What the answers come to, and what was said on the way. */
async function asked(report: ReviewReport, ...answers: string[]) {
  const { dialog, said, signal } = answering(...answers);
  const answer = await dialog.aboutRepeats(report, signal);
  return { answer, said: said() };
}

const DECIDED = { skipCreated: false, skipSimilar: false, sendSimilar: null };

describe('a person who is asked about repeats', () => {
  it.each<[string, Partial<UndecidedRepeats>, string[], object | null]>([
    ['leaves them out', SENT, ['s'], { skipCreated: true }],
    ['leaves them out, in capitals', SENT, ['S'], { skipCreated: true }],
    ['stops', SENT, [''], null],
    ['goes away', SENT, [], null],
    ['says yes, and then stops', SENT, ['y', ''], null],
    ['types Enter as a word', SIMILAR, ['enter', 'Enter', 'ENTER'], null],
    ['mistypes it once', SENT, ['d', 's'], { skipCreated: true }],
    ['mistypes it three times', SENT, ['d', 'd', 'd', 's'], null],
    ['types their number, which pays nothing again', SENT, ['3', ''], null],
    ['names a batch, which is done on the command line', SENT, ['b', ''], null],
    ['decides first about those that were paid', { ...SENT, ...SIMILAR }, ['s'], { skipCreated: true }],
    ['sends what is similar', SIMILAR, ['4'], { sendSimilar: 4 }],
    ['types another number', SIMILAR, ['3', ''], null],
    ['leaves out what is similar', SIMILAR, ['s'], { skipSimilar: true }],
    ['says no to what is similar', SIMILAR, ['n', ''], null],
    ['types the number as it is shown', { similar: 1234 }, ['1,234'], { sendSimilar: 1234 }],
    ['types the number without its mark', { similar: 1234 }, ['1234'], { sendSimilar: 1234 }],
    ['is not asked about what needs something else first', { ...SENT, blocked: 1 }, ['s'], null],
  ])('%s', async (_name, undecided, answers, decided) => {
    const { answer } = await asked(review(undecided), ...answers);
    expect(answer).toEqual(decided === null ? null : { ...DECIDED, ...decided });
  });

  it.each<[string, number, Partial<UndecidedRepeats>, RegExp]>([
    ['all that was paid before', 0, SENT, /^ *s +they were .*nothing else/m],
    ['one of two', 1, { ...SENT, sent: 1 }, /^ *s +it was .*the other one/m],
    ['some', 9, SENT, /^ *s .*the other 9/m],
    ['what is similar as well', 3, { sent: 1, similar: 2 }, /^ *s .*the other 3; 2 similar/m],
    ['one that is similar', 0, { similar: 1 }, /^ *1 +it is a separate payment/m],
    ['none of that', 0, SENT, /^ *Enter .*stop/m],
  ])('is told what the answer does with %s', async (_name, others, undecided, words) => {
    expect((await asked(review(undecided, others))).said).toMatch(words);
  });

  it('is told when and where they were paid before', async () => {
    expect((await asked(review(SENT))).said).toMatch(/^3 records .*2026-11-20.*20261120-a1b2c3 \(payroll\.csv\)/);
    const { said } = await asked(review({ sent: 1, last: { ...LAST, file: null } }));
    expect(said).toMatch(/^1 record .*2026-11-20.*20261120-a1b2c3\./);
  });
});

describe('similar records', () => {
  async function table(undecided: Partial<UndecidedRepeats>, change: Partial<ReviewReport> = {}): Promise<string[]> {
    const { said } = await asked(review(undecided, 6, change));
    const lines = said.split('\n');
    return lines.slice(
      1,
      lines.findIndex((line) => line.startsWith('  s ')),
    );
  }

  it('stand beside what was paid before, with both amounts and the difference', async () => {
    const all = [
      alike('1300', '1200.5', { line: 12 }),
      alike('7', '1200.5'),
      alike(null, '5', { subject: '\u001b[2J' }),
      alike('5', null, {
        earlier: { currency: 'EUR', amount: null, day: '2026-11-21', place: null, batchId: '2026-11' },
      }),
    ];
    const [head, ...rows] = await table({ similar: 4, alike: all });
    expect(head).toMatch(/^payee +place +before +now +difference +paid before$/);
    const place = '2026-11-20, line 4';
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['u1', 'line 12', '1,200.50', '1,300.00', '+99.50', 'EUR', place],
      ['u1', 'line 2', '1,200.50', '7.00', '-1,193.50', 'EUR', place],
      ['\\u001b[2J', 'line 2', '5.00', 'not known', 'EUR', place],
      ['u1', 'line 2', 'not known', '5.00', 'EUR', '2026-11-21'],
    ]);
  });

  it('name the batch where it is another one', async () => {
    const one = alike('7', '5');
    const other = { ...one, earlier: { ...one.earlier, batchId: '2026-10' } };
    expect((await table({ similar: 1, alike: [other] })).join(' ')).toContain('batch 2026-10');
    expect((await table({ similar: 1, alike: [one] })).join(' ')).not.toContain('batch');
  });

  it('of another currency have no difference', async () => {
    const [, row] = await table({ similar: 1, alike: [alike('7', '5', { currency: 'CHF', difference: null })] });
    expect(row).toMatch(/^u1 +line 2 +5\.00 EUR +7\.00 +CHF +2026-11-20/);
  });

  it('take two lines each where they are wider than the terminal', async () => {
    const wide = alike('1234567890.5', '1200.5', { subject: 'x'.repeat(24) });
    const said = (await table({ similar: 1, alike: [wide] })).join(' ');
    expect(said).toMatch(
      /^x{24}, line 2, EUR, .*before 1,200\.50 +now 1,234,567,890\.50 +difference \+1,234,566,690\.00$/,
    );
  });

  it('are counted where there are too many to show', async () => {
    expect((await table({ similar: 1009, alike: [alike('7', '5')] })).at(-1)).toMatch(/1,008 more.*--report/);
  });

  it('name their files where there are several', async () => {
    const files = [...REVIEW.files, ...REVIEW.files];
    const lines = await table({ similar: 1, alike: [alike('7', '5')] }, { files });
    expect(lines.join(' ')).toContain('pay.csv, line 2');
  });

  it('of gigs are named by their titles', async () => {
    const [head] = await table({ similar: 1, alike: [alike('7', '5', { type: 'gig', currency: null, subject: 'A' })] });
    expect(head).toMatch(/^(gig|A)/);
  });
});
