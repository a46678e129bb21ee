import { expect, it } from 'vitest';
import { applyAnswer, type Answers, type SetupAnswer } from '../../../src/setup/answers.js';
import { QUESTIONS } from '../../../src/setup/questions.js';
import { buildProfile } from '../../../src/setup/profile.js';
import type { ChoicePrompt } from '../../../src/setup/setup-question.js';
import { type AskedPrompt, analyzerOf, promptsIn } from './file-analyzer.js';
import { NO_ANSWERS } from './no-answers.js';

// What a run would pay without a word: a line of column names that is a payment, another column of money, the total of
// a group; and a fee that pays nobody.

const given = (...answers: readonly SetupAnswer[]): Answers => answers.reduce(applyAnswer, NO_ANSWERS);

async function promptsOf(text: string, id: string, ...answers: readonly SetupAnswer[]): Promise<ChoicePrompt[]> {
  const asked: AskedPrompt[] = promptsIn(await analyzerOf(text)(given(...answers)));
  return asked.filter((each) => each.id === id).map(({ prompt }) => prompt as ChoicePrompt);
}

/** The sentences that are told whether a person is there or not. */
async function toldAbout(text: string, id: string, ...answers: readonly SetupAnswer[]): Promise<string> {
  const analysis = await analyzerOf(text)(given(...answers));
  const steps = QUESTIONS.filter((each) => each.id === id).flatMap((each) => [...each.steps(analysis)]);
  return steps.filter((step) => typeof step === 'string').join('\n');
}

const labels = ({ choices }: ChoicePrompt): string[] => choices.map(({ label }) => label);

const PAYMENTS = 'user_id,amount,title,cost_center_key\nu1,1200.00,Bonus,PP-7\nu2,89.90,Bonus,PP-7\n';
const MAP: readonly SetupAnswer[] = ['u1=user_id', '1200.00=amount', 'Bonus=title', 'PP-7=cost_center_key'].map(
  (pair) => ({ map: pair.split('=') as [string, string] }),
);

it('asks whether the line with a payment, which a person has named, has the column names', async () => {
  expect(await promptsOf(PAYMENTS, 'header line')).toEqual([]);
  expect(await promptsOf(PAYMENTS, 'header line', { headerLine: 1 })).toEqual([]);
  for (const answers of [[{ headerLine: 2 }], [{ headerLine: 2 }, ...MAP]]) {
    const [prompt] = await promptsOf(PAYMENTS, 'header line', ...answers);
    expect(prompt).toMatchObject({
      fact: expect.stringContaining('Line 2 looks like a row of data, and not like column names: it has "1200.00".'),
      first: undefined,
    });
    const same = prompt!.choices[1]!.value as SetupAnswer;
    expect(await promptsOf(PAYMENTS, 'header line', ...answers, same)).toEqual([]);
  }
});

it.each([
  ['days are columns', 'user_id,title,2026-11-01,amount,cost_center_key\nu1,Bonus,8,5.50,PP\n', []],
  ['a name that is a year', 'user_id,title,2026,cost_center_key\nu1,Bonus,5.50,PP\n', []],
])('asks nothing about a line of names: %s', async (_case, text, answers: readonly SetupAnswer[]) => {
  expect(await promptsOf(text, 'header line', { headerLine: 1 }, ...answers)).toEqual([]);
});

const BALANCE = `Payee,Memo,Amount,Open balance,Cost center
Ana,Job 1,100.00,100.00,PP
Bob,Job 2,50.50,0.50,PP
`;

it('asks which of two columns with different amounts is meant, and offers none first', async () => {
  const [prompt, another] = await promptsOf(BALANCE, 'amount columns');
  expect([prompt!.first, another]).toEqual([undefined, undefined]);
  expect(await toldAbout(BALANCE, 'amount columns')).toBe(
    'Both "Amount" and "Open balance" have amounts, and they differ: on line 3, "Amount" has 50.50, and "Open balance" has 0.50.',
  );
  expect(labels(prompt!)).toEqual(['Amount (100.00; 50.50)', 'Open balance (100.00; 0.50)']);
  for (const { value } of prompt!.choices) {
    const analysis = await analyzerOf(BALANCE)(given(value as SetupAnswer));
    const chosen = analysis.fields.columns.filter(({ path }) => path === 'amount').map(({ name }) => name);
    expect(chosen).toEqual([(value as SetupAnswer).map![0]]);
    expect(promptsIn(analysis).map(({ id }) => id)).not.toContain('amount columns');
  }
});

it.each([
  ['equal amounts', BALANCE.replace('50.50,0.50', '50.50,50.5')],
  ['amounts of the other sign', BALANCE.replace('50.50,0.50', '50.50,-50.50')],
  ['numbers without decimals', BALANCE.replace('100.00,100.00', '100.00,7').replace('50.50,0.50', '50.50,8')],
])('asks nothing where there is one amount: %s', async (_case, text) => {
  expect(await promptsOf(text, 'amount columns')).toEqual([]);
});

const GROUPS = `Payee,Memo,Amount,Date,Cost center
Ana,Job 1,100.00,2026-11-01,PP
Ana,Job 2,50.50,2026-11-02,PP
Total for Ana,,150.50,,
Bob,Job 3,80.00,2026-11-03,PP
Total for Bob,,80.00,,
`;

it('takes the sum of the rows above it, under a word for a sum and a name, for a total', async () => {
  const [prompt] = await promptsOf(GROUPS, 'subtotal rows');
  expect(prompt).toMatchObject({
    fact: 'Line 4 has "Total for Ana" under "Payee", and its amount is the sum of the 2 rows above it. It looks like a total, not a payment. 2 rows are like this.',
  });
  expect(prompt!.first).toBeUndefined();
  expect(prompt!.choices.map(({ value }) => value)).toEqual([{ only: 'Date!=' }, 'stop', { settled: 'subtotals' }]);
  for (const answer of [{ only: 'Date!=' }, { settled: 'subtotals' }, { allowTotalRow: true }])
    expect(await promptsOf(GROUPS, 'subtotal rows', answer)).toEqual([]);
});

it('writes no dates into the profile as the known values of a column that totals leave empty', async () => {
  const analysis = await analyzerOf(GROUPS)(given({ only: 'Date!=' }));
  const call = { flags: {}, place: { path: '', config: {} }, world: { cwd: () => '/' } };
  const profile = buildProfile(call as unknown as Parameters<typeof buildProfile>[0], analysis);
  expect([profile.only, profile.known_values]).toEqual([['Date!='], undefined]);
});

it.each([
  ['another amount', GROUPS.replace('150.50', '150.51').replace('Total for Bob,,80.00', 'Total for Bob,,80.01')],
  ['no word for a sum', GROUPS.replaceAll('Total for ', 'Bonus of ')],
  ['one payment of the same title', 'Payee,Memo,Amount\nAna,Balance of May,5.50\nBob,Balance of May,5.50\n'],
])('takes no row for a total: %s', async (_case, text) => {
  expect(await promptsOf(text, 'subtotal rows')).toEqual([]);
});

it('asks a person to take totals out of the file where no column tells them apart', async () => {
  const text = 'Payee,Memo,Amount\nAna,Job 1,100.00\nAna,Job 2,50.50\nSumme Ana,Jobs,150.50\n';
  const [prompt] = await promptsOf(text, 'subtotal rows');
  expect(prompt!.choices.map(({ value }) => value)).toEqual(['stop', { settled: 'subtotals' }]);
});

const FEE = `Supplier,Memo,Amount,Art,Cost center
Ana,Job 1,100.00,Zahlung,PP
Bob,Job 2,50.50,Zahlung,PP
,Gebühr,2.50,Kosten,PP
`;

const PAYEE: SetupAnswer = { map: ['Supplier', 'user_id'] };

it('tells the two ways for a fee without a payee, and does not offer to leave it out', async () => {
  const [prompt] = await promptsOf(FEE, 'unfilled rows', PAYEE);
  expect(await toldAbout(FEE, 'unfilled rows', PAYEE)).toContain(
    "If it is a bank fee or another row that pays nobody, delete it in the file, or leave out its kind every month: --only 'Art!=Kosten'.",
  );
  expect(prompt!.choices.map(({ value }) => value)).toEqual(['stop', { settled: '["Supplier",""]' }]);
  expect(await toldAbout(FEE.replace('Kosten', 'Zahlung'), 'unfilled rows', PAYEE)).toContain(
    "leave out its kind, if a column has it: --only 'COLUMN!=KIND'.",
  );
  expect(await promptsOf(FEE, 'unfilled rows', PAYEE, { only: 'Art!=Kosten' })).toEqual([]);
});
