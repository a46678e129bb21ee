import { describe, expect, it } from 'vitest';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import type { Answers } from '../../../src/setup/answers.js';
import { type ColumnProfiles, NO_UNEVEN_ROWS } from '../../../src/setup/column-profiles.js';
import { inferFields } from '../../../src/setup/field-inference.js';
import { firstLines, inferHeader } from '../../../src/setup/sample-source.js';
import { NO_ANSWERS } from './no-answers.js';

const KNOWN: Readonly<Record<string, string>> = {
  user_id: 'user_id',
  Personalnummer: 'user_id',
  amount: 'amount',
  Betrag: 'amount',
  Text: 'title',
};

const headerOf = (head: string, usual = 1) => inferHeader(firstLines(head, null), usual, (name) => KNOWN[name] ?? null);

describe('where the column names stand', () => {
  it.each<[name: string, head: string, kind: string, line?: number]>([
    ['on the first line, one of them known', 'Nummer,amount\n1,5\n', 'default'],
    ['on the first line, none of them known', 'Nummer,Wert\nu1,fünf\n', 'default'],
    ['below blank lines', '\n\nuser_id,amount\nu1,5\n', 'default'],
    [
      'below a title with other marks than the table',
      'Report, all branches, 2026\nStand: 30.11.2026\nPersonalnummer;Text;Betrag\n7;"a; b";12,50\n',
      'certain',
      3,
    ],
    [
      'below a block of names and values',
      'Konto;DE12\nText;Lohn\nZeitraum;11/2026\n\nPersonalnummer;Text;Betrag\n7;Lohn;5\n',
      'certain',
      5,
    ],
    ['on a line that is repeated', 'Titel\nuser_id,amount\nu1,5\nuser_id,amount\nu2,5\n', 'certain', 2],
    ['below a title, one of them known', 'Titel\nNummer;Betrag\n7;5\n', 'likely', 2],
    [
      'below titles that are padded, none of them known',
      'Bank S.A.;\nŁódź;\n#Okres:;\n#Waluta;#Wpływy;\nPLN;5 000,00;\n#Data;#Opis;#Kwota;\n2026-11-03;a;-1,50;\n2026-11-04;b;-2,50;\n',
      'likely',
      6,
    ],
    ['below titles as wide as the table', 'Lista;;;\n;;;\nNr;Nazwa;Do wypłaty;Data\n1;a;5;6\n', 'likely', 3],
    [
      'below titles with formulas',
      'Von:;="1"\nBis:;="2"\nKonto:;="CH9"\nTag;Art;Text;CHF\n1.2.26;a;b;5\n',
      'likely',
      4,
    ],
    ['below a title that names a field', 'Text;Lohn\nKonto;DE12\nNr;Name;Text;CHF\n1;a;b;5\n2;c;d;6\n', 'likely', 3],
    ['above one row of words', ',Name,Ort\na,Bo,Ulm\nb,Al,Bonn\n', 'default'],
    ['nowhere, beside a word that is a name', 'u1,5,Text\nu2,6,Text\n', 'likely', 0],
    ['on a line with a number among the names', 'user_id,amount,2026\nu1,5,6\n', 'default'],
    ['nowhere', 'u1,5,2026-11-01\nu2,6,2026-11-02\n', 'likely', 0],
    ['in an empty file', '', 'default'],
  ])('%s', (_name, head, kind, line) => {
    expect(headerOf(head)).toMatchObject(line === undefined ? { kind } : { kind, value: line });
  });

  it('takes a name of several lines for one, and a line that is no row for one cell', () => {
    const lines = firstLines('a "b\n"Personal-\nnummer";Betrag\n', null);
    expect(lines[0]).toEqual({ line: 1, cells: ['a "b'] });
    expect(lines[1]).toMatchObject({ line: 2, cells: ['Personal- nummer', 'Betrag'] });
  });
});

/** Without values, only the names count. */
const NO_PROFILES: ColumnProfiles = {
  columns: new Map(),
  rows: 0,
  cells: [],
  short: NO_UNEVEN_ROWS,
  long: NO_UNEVEN_ROWS,
};

function look(names: string[], said: Partial<Answers> = {}, type: 'payout' | 'result' = 'payout') {
  const found = inferFields(names, RECORD_SCHEMAS[type], { ...NO_ANSWERS, ...said }, NO_PROFILES);
  return {
    ...found,
    columns: found.columns.map(({ name, path, why }) => `${name} → ${path}: ${why}`),
    suggestions: found.suggestions.map(
      ({ names: some, path, isSure }) => `${some.join(' or ')} → ${path}${isSure ? '' : '?'}`,
    ),
  };
}

describe('which column gives which field', () => {
  it('takes exact names and usual ones that are sure, and knows what is left', () => {
    expect(look(['user_id', 'Betrag', 'Titel', 'Filiale', '', 'gigwork_error'])).toEqual({
      columns: ['user_id → user_id: exact', 'Betrag → amount: usual', 'Titel → title: usual'],
      suggestions: [],
      others: ['Filiale'],
      missing: ['cost_center_key or cost_center_data'],
    });
  });

  it('takes what was said before all else', () => {
    const said = {
      map: new Map([['Filiale', 'cost_center_key']]),
      ignore: new Set(['Betrag']),
      set: new Map([['title', 'x']]),
      setForAll: ['currency'],
    };
    expect(look(['User ID', 'Betrag', 'Titel', 'Währung', 'Filiale', 'Kostenstelle'], said)).toEqual({
      columns: ['Filiale → cost_center_key: said', 'User ID → user_id: usual'],
      suggestions: [],
      others: ['Titel', 'Währung', 'Kostenstelle'],
      missing: ['amount'],
    });
  });

  it('decides between no two columns that may both be meant', () => {
    const found = look(['user_id', 'Betrag', 'Auszahlungsbetrag', 'Netto', 'Titel', 'Kostenstelle']);
    expect(found.suggestions).toEqual(['Betrag or Auszahlungsbetrag or Netto → amount']);
    expect(found.missing).toEqual([]);
    expect(look(['amount', 'Betrag', 'Auszahlungsbetrag']).suggestions).toEqual([]);
  });

  it.each<[names: string[], suggestions: string[]]>([
    [['ammount'], ['ammount → amount?']],
    [['Supplier'], ['Supplier → user_id?']],
    [
      ['Empfänger', 'IBAN', 'Verwendungszweck'],
      ['Empfänger or IBAN → user_id?', 'Verwendungszweck → title?'],
    ],
    [['Filiale'], []],
  ])('suggests what %j may be meant for', (names, suggestions) => {
    const found = look(names);
    expect(found.suggestions).toEqual(suggestions);
    expect(found.others).toEqual(suggestions.length === 0 ? names : []);
    expect(look(names, { ignoreOthers: true })).toMatchObject({ suggestions: [], others: names });
  });

  it('suggests nothing for a field that is given, and knows no column that has the name of another', () => {
    expect(look(['amount', 'Net amount', 'ammount']).others).toEqual(['Net amount', 'ammount']);
    expect(look(['Betrag', 'Netto']).others).toEqual(['Netto']);
  });

  it('knows parts of nested fields, and prices', () => {
    const names = ['gig_task_id', 'Menge', 'base_price', 'cost_center_data.inhouse', 'user_id', 'title'];
    const exact = names.filter((name) => name !== 'Menge').map((name) => `${name} → ${name}: exact`);
    const columns = [...exact, 'Menge → quantity: usual'];
    expect(look(names, {}, 'result')).toMatchObject({ columns, others: [], missing: [] });
  });
});
