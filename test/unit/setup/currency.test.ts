import { describe, expect, it } from 'vitest';
import { applyAnswer, type Answers, type SetupAnswer } from '../../../src/setup/answers.js';
import { promptFlags } from '../../../src/setup/questions.js';
import type { ChoicePrompt } from '../../../src/setup/setup-question.js';
import { analyzerOf, type AskedPrompt, openPrompts } from './file-analyzer.js';
import { NO_ANSWERS } from './no-answers.js';

// Which currency the amounts have: whoever finds the column, names or chooses it, is asked where the file disagrees.

const isAboutCurrency = ({ id }: AskedPrompt): boolean => id.startsWith('currency');

async function askedAbout(text: string, answers: Answers = NO_ANSWERS): Promise<readonly ChoicePrompt[]> {
  const prompts = openPrompts(await analyzerOf(text)(answers)).filter(isAboutCurrency);
  return prompts.map(({ prompt }) => prompt as ChoicePrompt);
}

const answered = (...answers: SetupAnswer[]): Answers => answers.reduce(applyAnswer, NO_ANSWERS);
const labelsOf = ({ choices }: ChoicePrompt): string[] => choices.map(({ label }) => label);

const N26 = `Partner Iban,Payment Reference,Amount (EUR),Original Currency,cost_center_key
DE1,Fee A,100.00,EUR,PP
DE2,Fee B,58.31,GBP,PP
DE3,Fee C,41.69,EUR,PP
`;
const MAP_N26 = answered(
  { map: ['Partner Iban', 'user_id'] },
  { map: ['Payment Reference', 'title'] },
  { map: ['Amount (EUR)', 'amount'] },
);

const WHY_N26 =
  'The column "Amount (EUR)" has amounts in EUR. But the column "Original Currency" has another currency, as in "GBP" (line 3).';
const CHOICES_N26 = [
  'EUR, in all rows: pays 3 rows, 200.00 EUR',
  'The currency under "Original Currency": pays 3 rows, 141.69 EUR and 58.31 GBP',
  'Stop, and write nothing',
];

describe('a column of other currencies next to amounts that are named for one', () => {
  it.each([
    ['that its name suggests', MAP_N26],
    ['that a person named', applyAnswer(MAP_N26, { map: ['Original Currency', 'currency'] })],
  ])('%s', async (_name, answers) => {
    const [prompt, another] = await askedAbout(N26, answers);
    expect(another).toBeUndefined();
    expect(prompt).toMatchObject({ fact: WHY_N26, ask: 'Which currency do the amounts have?' });
    expect(prompt?.first).toBeUndefined();
    expect(labelsOf(prompt!)).toEqual(CHOICES_N26);
    expect(promptFlags(prompt!, 'linux')).toEqual([`--ignore-column 'Original Currency' --set currency=EUR`]);
  });

  it('of any name', async () => {
    const [prompt] = await askedAbout(N26.replace('Original Currency', 'Kontoart'), MAP_N26);
    expect(prompt?.fact).toContain('has amounts in EUR. But the column "Kontoart" has another currency');
  });

  it('is not asked about twice', async () => {
    for (const index of [0, 1]) {
      const [prompt] = await askedAbout(N26, MAP_N26);
      const answers = applyAnswer(MAP_N26, prompt!.choices[index]!.value as SetupAnswer);
      expect(await askedAbout(N26, answers)).toEqual([]);
    }
  });

  it('is not needed where it agrees with the name', async () => {
    const analysis = await analyzerOf(N26.replace('GBP', 'EUR'))(MAP_N26);
    expect(openPrompts(analysis).filter(isAboutCurrency)).toEqual([]);
    expect(analysis.currency).toMatchObject({ kind: 'certain', value: 'EUR' });
    expect(analysis.fields.others).toContain('Original Currency');
  });
});

const row = 'user_id,title,amount,cost_center_key';

describe('amounts with signs', () => {
  it('of another currency than their column', async () => {
    const text = `${row},currency\nu1,B,€5.00,PP,EUR\nu2,B,€6.00,PP,GBP\n`;
    const [prompt] = await askedAbout(text);
    expect(prompt?.fact).toBe(
      'The column "amount" shows amounts with €, as in "€6.00" (line 3). But the column "currency" has another currency, as in "GBP" (line 3).',
    );
    expect(labelsOf(prompt!)[0]).toBe('EUR, in all rows: pays 2 rows, 11.00 EUR');
  });

  it('that agree with their column, each with its own', async () => {
    const text = `${row},currency\nu1,B,€5.00,PP,EUR\nu2,B,£6.00,PP,GBP\nu2,B,$6.00,PP,CAD\n`;
    expect(await askedAbout(text)).toEqual([]);
  });

  it('never have a currency that only a bare $ speaks for', async () => {
    const [prompt] = await askedAbout(`${row}\nu1,B,$5.00,PP\n`);
    expect(prompt).toMatchObject({ initial: '', flags: ['--set currency=CODE', "--map 'COLUMN=currency'"] });
    const [conflict] = await askedAbout(`${row},currency\nu1,B,$5.00,PP,EUR\n`);
    expect(labelsOf(conflict!)).toEqual([
      'The currency under "currency": pays 1 row, 5.00 EUR',
      'Another currency, in all rows',
      'Stop, and write nothing',
    ]);
  });
});

describe('two columns with currencies', () => {
  const DEEL = `${row},Currency,Payment Currency\nu1,B,5.00,PP,USD,EUR\nu2,B,6.00,PP,USD,USD\n`;

  it('that differ in a row: neither is preselected, whichever gives the field', async () => {
    for (const answers of [NO_ANSWERS, answered({ map: ['Payment Currency', 'currency'] })]) {
      const [prompt, another] = await askedAbout(DEEL, answers);
      expect([prompt?.first, another]).toEqual([undefined, undefined]);
      expect(prompt?.fact).toMatch(/^Two columns have currencies, and they differ: on line 2, /);
      expect(labelsOf(prompt!).toSorted()).toEqual([
        'Stop, and write nothing',
        'The currency under "Currency": pays 2 rows, 11.00 USD',
        'The currency under "Payment Currency": pays 2 rows, 5.00 EUR and 6.00 USD',
      ]);
      expect(promptFlags(prompt!, 'linux')).toContain(`--map Currency=currency --ignore-column 'Payment Currency'`);
    }
  });

  it('that are equal, or of which one is ignored', async () => {
    expect(await askedAbout(DEEL.replace('EUR', 'USD'))).toEqual([]);
    expect(await askedAbout(DEEL, answered({ drop: ['Payment Currency'] }))).toEqual([]);
  });

  it('is not likely where only its last word says so', async () => {
    const [prompt] = await askedAbout(`${row},Original currency\nu1,B,5.00,PP,USD\nu2,B,5.00,PP,EUR\n`);
    expect(prompt).toMatchObject({ ask: expect.stringContaining('Is "Original currency" the column') });
    expect(prompt?.first).toBeUndefined();
    const [devise] = await askedAbout(`${row},Devise\nu1,B,5.00,PP,USD\nu2,B,5.00,PP,EUR\n`);
    expect(devise?.first).toBe(0);
  });
});

describe('a column of amounts', () => {
  const firstOf = async (names: string, values: string): Promise<unknown> => {
    const text = `user_id,title,cost_center_key,${names}\nu1,B,PP,${values}\n`;
    const prompts = openPrompts(await analyzerOf(text)(NO_ANSWERS)).filter(({ id }) => id === 'suggested columns');
    const [asked] = prompts.map(({ prompt }) => prompt as ChoicePrompt);
    return [asked?.first, asked?.choices.length];
  };

  it('is likely by its name only where no other column could be money', async () => {
    expect(await firstOf('Source fee amount', '0.35')).toEqual([0, 2]);
    expect(await firstOf('Source fee amount,Source amount (after fees)', '0.35,120.00')).toEqual([undefined, 3]);
    expect(await firstOf('Credit,Balance', '120.00,3000.50')).toEqual([undefined, 3]);
  });
});
