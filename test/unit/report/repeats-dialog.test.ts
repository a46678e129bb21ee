import { describe, expect, it } from 'vitest';
import type { ReviewReport, UndecidedRepeats } from '../../../src/report/reporter.js';
import { alike, part, REVIEW, total, UNDECIDED } from './reviews.js';
import { answering } from './typing.js';

const LAST = { run: '20261120-a1b2c3', day: '2026-11-20', file: 'payroll.csv' };
const SENT = { sent: 3, last: LAST };
const SIMILAR = { similar: 4, alike: [alike('7', '5')] };

function review(undecided: Partial<UndecidedRepeats>, others = 6, change: Partial<ReviewReport> = {}): ReviewReport {
  const toSend = others === 0 ? part() : part(total('5', { count: others }));
  return { ...REVIEW, batchId: 'default', toSend, undecided: { ...UNDECIDED, ...undecided }, ...change };
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
    ['sends what is open in another run', { open: 2, last: LAST }, ['s'], { skipCreated: true }],
    ['stops', SENT, [''], null],
    ['goes away', SENT, [], null],
    ['says yes, and then stops', SENT, ['y', ''], null],
    ['mistypes it once', SENT, ['d', 's'], { skipCreated: true }],
    ['mistypes it three times', SENT, ['d', 'd', 'd', 's'], null],
    ['types their number, which pays nothing again', SENT, ['3', ''], null],
    ['names a batch where there is none to be named', SENT, ['b', ''], null],
    [
      'decides about those that were sent before those that are similar',
      { ...SENT, ...SIMILAR },
      ['s'],
      { skipCreated: true },
    ],
    ['sends what is similar', SIMILAR, ['4'], { sendSimilar: 4 }],
    ['types another number', SIMILAR, ['3', ''], null],
    ['leaves out what is similar', SIMILAR, ['s'], { skipSimilar: true }],
    ['says no to what is similar', SIMILAR, ['n', ''], null],
    ['types the number as it is shown', { similar: 1234 }, ['1,234'], { sendSimilar: 1234 }],
    ['types the number without its mark', { similar: 1234 }, ['1234'], { sendSimilar: 1234 }],
  ])('%s', async (_name, undecided, answers, decided) => {
    const { answer } = await asked(review(undecided), ...answers);
    expect(answer).toEqual(decided === null ? null : { decisions: { ...DECIDED, ...decided } });
  });

  const named = { ...SENT, otherPurpose: 'name' } as const;
  it.each<[string, string[], string | null, string?]>([
    ['names another batch', ['b', '2026-12'], '2026-12'],
    ['names it with spaces around it', ['b', ' 2026-12 '], '2026-12'],
    ['stops instead of a name', ['b', ''], null],
    ['goes away instead of a name', ['b'], null],
    [
      'gives a blank name first',
      ['b', '  ', '2026-12'],
      '2026-12',
      'A blank name says nothing. Another one (Enter stops): ',
    ],
    [
      'gives the name that it has',
      ['b', 'default', '2026-12'],
      '2026-12',
      'That name is the batch that it is in now. Another',
    ],
    [
      'gives a name that is too long',
      ['b', 'x'.repeat(201), 'y'],
      'y',
      'takes a name of 1 to 200 printable characters',
    ],
    [
      'gives a name with what nobody sees',
      ['b', '2026\u200b-12', ''],
      null,
      'holds a character that nobody sees (U+200B)',
    ],
  ])('%s', async (_name, answers, batchId, words = 'Name of the batch, such as 2026-12 (Enter stops): ') => {
    const { answer, said } = await asked(review(named), ...answers);
    expect(answer).toEqual(batchId === null ? null : { batchId });
    expect(said).toContain(words);
  });

  it.each<[string, number, Partial<UndecidedRepeats>, string]>([
    [
      'all that was sent before',
      0,
      SENT,
      '  s      they were paid already: leave them out; nothing else is to be sent\n',
    ],
    ['one of two', 1, { ...SENT, sent: 1 }, '  s      it was paid already: leave it out; send the other one\n'],
    ['some', 9, SENT, '  s      they were paid already: leave them out; send the other 9\n'],
    ['what is open elsewhere', 3, { open: 2 }, '  s      send them with this run, once; send the other 3\n'],
    [
      'both',
      4,
      { sent: 1, open: 1 },
      '  s      it was paid already: leave it out; send the one of the other run with this run, once; send the other 4\n',
    ],
    [
      'what is similar as well, which is asked about afterwards',
      3,
      { sent: 1, similar: 2 },
      '  s      it was paid already: leave it out; send the other 3; 2 similar records are asked about next\n',
    ],
    [
      'one that is similar',
      0,
      { similar: 1 },
      '  1      it is a payment of its own: send it in addition to what was sent before\n',
    ],
    [
      'the whole input',
      0,
      { ...SENT, otherPurpose: 'name' },
      '  b      all 3 records are for another period or purpose: name its batch (now it is default), and go on in that\n',
    ],
    ['none of that', 0, SENT, '  Enter  not sure: stop, nothing is sent\n'],
  ])('is told what the answer does with %s', async (_name, others, undecided, words) => {
    expect((await asked(review(undecided, others))).said).toContain(words);
  });

  it('is told when and where they were sent before', async () => {
    expect((await asked(review(SENT))).said).toContain(
      '3 records were sent before, the last on 2026-11-20 in run 20261120-a1b2c3 (payroll.csv).\n',
    );
    expect((await asked(review({ sent: 1, last: { ...LAST, file: null } }))).said).toContain(
      '1 record was sent before, on 2026-11-20 in run 20261120-a1b2c3.\n',
    );
  });

  it('is told first of an unfinished run that goes on with them', async () => {
    const unfinished = [
      'run 20261120-a1b2c3 of 2026-11-20 is not finished. To go on with it: gigwork batch resume 20261120-a1b2c3',
    ];
    expect((await asked(review({ ...SENT, unfinished }))).said).toContain(
      '\nRun 20261120-a1b2c3 of 2026-11-20 is not finished.',
    );
  });

  it.each<[UndecidedRepeats['otherPurpose'], RegExp]>([
    ['apart', /stop, and put these records alone into a file of their own, and import it with a name for that/],
    ['again', /stop, and run the same command with a name for that, --batch-id NAME \(now it is default\)/],
  ])('is told the way for another period where it is %s', async (otherPurpose, words) => {
    expect((await asked(review({ ...SENT, otherPurpose }))).said).toMatch(words);
    expect((await asked(review(SENT))).said).not.toContain('another period');
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

  it('stand beside what was sent before, with both amounts and the difference', async () => {
    const all = [
      alike('1300', '1200.5', { subject: 'usr_06214119cf' }),
      alike('7', '1200.5', { line: 12 }),
      alike('5', '5'),
      alike(null, '5', { subject: '\u001b[2J' }),
      alike('5', null, { earlier: { currency: 'EUR', amount: null, day: '2026-11-21', place: null } }),
    ];
    expect(await table({ similar: 5, alike: all })).toEqual([
      'payee           line     before        now  difference       sent before',
      'usr_06214119cf  2      1,200.50   1,300.00      +99.50  EUR  2026-11-20, line 4',
      'u1              12     1,200.50       7.00   -1,193.50  EUR  2026-11-20, line 4',
      'u1              2          5.00       5.00        0.00  EUR  2026-11-20, line 4',
      '\\u001b[2J       2          5.00  not known              EUR  2026-11-20, line 4',
      'u1              2     not known       5.00              EUR  2026-11-21',
    ]);
  });

  it('of another currency have no difference', async () => {
    const [, row] = await table({ similar: 1, alike: [alike('7', '5', { currency: 'CHF', difference: null })] });
    expect(row).toMatch(/^u1 +2 +5\.00 EUR +7\.00 +CHF +2026-11-20, line 4$/);
  });

  it('take two lines each where they are wider than the terminal', async () => {
    const wide = alike('1234567890.5', '1200.5', { subject: 'x'.repeat(24) });
    expect((await table({ similar: 1, alike: [wide] })).join(' ')).toBe(
      `${'x'.repeat(24)}, line 2, EUR, 2026-11-20, line 4 before 1,200.50  now 1,234,567,890.50  difference +1,234,566,690.00`,
    );
  });

  it('are counted where there are too many to show', async () => {
    expect((await table({ similar: 1009, alike: [alike('7', '5')] })).at(-1)).toBe(
      'and 1,008 more, which differ less; --report FILE names them all',
    );
  });

  it('name their files where there are several', async () => {
    const files = [...REVIEW.files, ...REVIEW.files];
    const lines = await table({ similar: 1, alike: [alike('7', '5')] }, { files });
    expect(lines[1]).toBe('u1     pay.csv, line 2    5.00  7.00       +2.00  EUR  2026-11-20, line 4');
  });

  it('of gigs are named by their titles', async () => {
    const [head] = await table({ similar: 1, alike: [alike('7', '5', { type: 'gig', subject: 'Shift' })] });
    expect(head).toMatch(/^gig +line +before +now +difference +sent before$/);
  });
});
