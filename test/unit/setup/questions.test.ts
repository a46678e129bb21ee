import { expect, it } from 'vitest';
import { applyAnswer, type SetupAnswer } from '../../../src/setup/answers.js';
import { promptFlags, QUESTIONS } from '../../../src/setup/questions.js';
import type { ChoicePrompt, SetupPrompt } from '../../../src/setup/setup-question.js';
import { analyzerOf, openPrompts, promptsIn } from './file-analyzer.js';
import { NO_ANSWERS } from './no-answers.js';

// The table of questions: what each file leaves open, and what an answer does to it. Whole calls: test/cli/setup*.test.ts.

const HEADER = 'user_id;title;amount;cost_center_key';

const FILES: readonly (readonly [text: string, open: readonly string[]])[] = [
  [`${HEADER}\nu1;Bonus;5;PP-7\n`, []],
  ['u1;1.200,50;Bonus\nu2;89,90;Bonus\n', ['header line']],
  [`${HEADER};x\nu1;Bonus;5;PP-7\n`, ['short rows']],
  ['Name;Ort\nu1;Köln\n', ['record type']],
  ['Supplier;title;ammount;cost_center_key\nu1;Bonus;5;PP-7\n', ['suggested columns', 'suggested columns']],
  ['user_id;amount\nu1;5\n', ['missing fields', 'missing fields']],
  [`${HEADER};billing_date\nu1;Bonus;5;PP-7;0512\n`, ['unread columns']],
  [`${HEADER};Kontoart\nu1;Bonus;5;PP-7;EUR\nu2;Bonus;5;PP-7;USD\n`, ['currency columns']],
  [`${HEADER}\nu1;Bonus;1.234;PP-7\n`, ['decimal mark']],
  [`${HEADER}\nu1;Bonus;1.200,50;PP-7\nu2;Bonus;1,200.50;PP-7\n`, ['decimal mark']],
  [`${HEADER};billing_date\nu1;Bonus;5;PP-7;05.12.2026\n`, ['date order']],
  [`${HEADER}\nu1;Bonus;$5.00;PP-7\n`, ['currency']],
  [`${HEADER};currency\nu1;Bonus;5.00;PP-7;eur\nu2;Bonus;5.00;PP-7;EUR\n`, ['currency']],
  [`${HEADER}\nu1 ;Bonus;5.00;PP-7\nu2;Bonus;5.00;PP-7\n`, ['spaces']],
  [`${HEADER};S/H\nu1;Bonus;5;PP-7;S\nu2;Bonus;5;PP-7;H\n`, ['status columns']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nSumme;;5.50;\n`, ['total rows']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nu1;Bonus;4.50;PP-7\nTotal for u1;x;10.00;\n`, ['subtotal rows']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nu2;Bonus;-1.50;PP-7\nu3;Bonus;1.50;PP-7\n`, ['signs']],
  [`${HEADER}\nu1;Bonus;-5;PP-7\n`, ['signs']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\nu2;Bonus;;PP-7\nu3;Bonus;n/a;PP-7\n`, ['unfilled rows']],
  [`${HEADER}\nu1;Bonus;5.50;PP-7\n;Hinweis;n/a;PP-7\n`, ['unfilled rows']],
];

it.each(FILES)('asks about %j: %j', async (text, open) => {
  const analysis = await analyzerOf(text)(NO_ANSWERS);
  expect(openPrompts(analysis).map(({ id }) => id)).toEqual(open);
});

it('has each question among these files', () => {
  const asked = new Set(FILES.flatMap(([, open]) => open));
  // Which column has the amount, and whether all are right, is only asked of a person, and only workbooks have real dates.
  expect(QUESTIONS.map(({ id }) => id).filter((id) => !asked.has(id))).toEqual([
    'amount columns',
    'agreement',
    'mixed dates',
  ]);
});

/** The answers of a prompt, those of the prompts behind its choices included. */
function answersTo(prompt: SetupPrompt): SetupAnswer[] {
  if ('answerOf' in prompt) return [prompt.answerOf('EUR')];
  return prompt.choices.flatMap(({ value }) => {
    if (typeof value === 'string') return [];
    return 'ask' in value ? answersTo(value) : [value];
  });
}

it.each(FILES)('asks nothing twice of %j', async (text) => {
  const analyze = analyzerOf(text);
  for (const { prompt } of openPrompts(await analyze(NO_ANSWERS)))
    for (const answer of answersTo(prompt)) {
      const again = openPrompts(await analyze(applyAnswer(NO_ANSWERS, answer)));
      expect(again.map((each) => each.prompt.fact ?? each.prompt.ask)).not.toContain(prompt.fact ?? prompt.ask);
    }
});

it('names the flags that decide a prompt, where one answer is enough', async () => {
  const flagsOf = async (text: string): Promise<unknown> =>
    openPrompts(await analyzerOf(text)(NO_ANSWERS)).map(({ prompt }) => promptFlags(prompt, 'linux'));
  expect(await flagsOf(`${HEADER};S/H\nu1;Bonus;5;PP-7;S\nu2;Bonus;5;PP-7;H\n`)).toEqual([
    ['--only S/H=S', '--only S/H=H', '--ignore-column S/H'],
  ]);
  expect(await flagsOf(`${HEADER}\nu1;Bonus;-5;PP-7\n`)).toEqual([['--negate']]);
  expect(await flagsOf('Supplier;title;amount;cost_center_key\nu1;Bonus;5;PP-7\n')).toEqual([
    ['--map Supplier=user_id'],
  ]);
});

it.each(['5.00 pcs', '12:30'])('never offers to leave a row out for a number that nothing reads: %j', async (typed) => {
  const analysis = await analyzerOf(`${HEADER}\nu1;Bonus;5.50;PP-7\nu2;Bonus;${typed};PP-7\n`)(NO_ANSWERS);
  const [asked, another] = promptsIn(analysis).filter(({ id }) => id === 'unfilled rows');
  expect(another).toBeUndefined();
  expect(asked?.prompt.fact).toContain('The first is on line 3. This row may be a payment');
  expect(answersTo(asked!.prompt)).toEqual([{ settled: JSON.stringify(['amount', typed]) }]);
});

it('never offers to leave a row out that pays nobody yet', async () => {
  const analysis = await analyzerOf(`${HEADER}\nu1;Bonus;5.50;PP-7\n;Bonus;7;PP-7\n`)(NO_ANSWERS);
  const asked = promptsIn(analysis).filter(({ id }) => id === 'unfilled rows');
  expect(asked.flatMap(({ prompt }) => answersTo(prompt)).some(({ only }) => only !== undefined)).toBe(false);
  expect(asked).toHaveLength(1);
});

it('describes the rows of a status by what a choice pays, one sum for each currency', async () => {
  const rows = ['u1;B;10;P;EUR;Paid', 'u2;B;20;P;USD;Paid', 'u3;B;5;P;EUR;Draft', 'u4;B;7;P;EUR;Void'];
  const analysis = await analyzerOf(`${HEADER};currency;Status\n${rows.join('\n')}\n`)(NO_ANSWERS);
  const [asked] = promptsIn(analysis).filter(({ id }) => id === 'status columns');
  const { choices } = asked!.prompt as ChoicePrompt;
  expect(choices.map(({ label }) => label)).toEqual([
    'Only Paid: pays 2 rows, 10.00 EUR and 20.00 USD',
    'Only Draft: pays 1 row, 5.00 EUR',
    'Only Void: pays 1 row, 7.00 EUR',
    'All but Paid: pays 2 rows, 12.00 EUR',
    'All but Draft: pays 3 rows, 17.00 EUR and 20.00 USD',
    'All but Void: pays 3 rows, 15.00 EUR and 20.00 USD',
    'Ignore this column, and send all rows: pays 4 rows, 22.00 EUR and 20.00 USD',
  ]);
});
