import { describe, expect, it } from 'vitest';
import { concludeHeader, firstLines, withFields } from '../../../../src/input/setup/columns.js';

const KNOWN: Readonly<Record<string, string>> = {
  user_id: 'user_id',
  Personalnummer: 'user_id',
  amount: 'amount',
  Betrag: 'amount',
  Umsatz: 'amount',
  Text: 'title',
};

function conclude(head: string, usual = 1) {
  const lines = withFields(firstLines(head, null), (name) => KNOWN[name] ?? null);
  return concludeHeader(lines, usual);
}

describe('where the column names stand', () => {
  it.each<[name: string, head: string, certainty: string, line: number | null]>([
    ['on the first line', 'user_id,amount\nu1,5\n', 'nothing', null],
    ['on the first line, one of them known', 'Nummer,amount\n1,5\n', 'nothing', null],
    ['on the first line, none of them known', 'Nummer,Wert\nu1,fünf\n', 'nothing', null],
    ['below blank lines', '\n\nuser_id,amount\nu1,5\n', 'nothing', null],
    ['below a title', 'Auszahlungen November\n\nPersonalnummer;Betrag\n7;12,50\n', 'proven', 3],
    [
      'below a title with other marks than the table',
      'Report, all branches, 2026\nStand: 30.11.2026\nPersonalnummer;Text;Betrag\n7;"a; b";12,50\n',
      'proven',
      3,
    ],
    [
      'below a block of names and values',
      'Konto;DE12\nText;Lohn\nZeitraum;11/2026\n\nPersonalnummer;Text;Betrag\n7;Lohn;5\n',
      'proven',
      5,
    ],
    ['on a line that is repeated', 'Titel\nuser_id,amount\nu1,5\nuser_id,amount\nu2,5\n', 'proven', 2],
    ['below a title, one of them known', 'Titel\nNummer;Betrag\n7;5\n', 'likely', 2],
    ['below a title, none of them known', 'Titel\nNummer;Wer\n7;5\n', 'likely', 2],
    ['nowhere, beside a word that is a name', 'u1,5,Text\nu2,6,Text\n', 'likely', 0],
    ['on a line with a number among the names', 'user_id,amount,2026\nu1,5,6\n', 'nothing', null],
    ['nowhere', 'u1,5,2026-11-01\nu2,6,2026-11-02\n', 'likely', 0],
    ['in an empty file', '', 'nothing', null],
  ])('%s', (_name, head, certainty, line) => {
    expect(conclude(head)).toMatchObject({ certainty, value: line });
  });

  it('is below a line that names the delimiter, without saying so', () => {
    expect(conclude('sep=;\nuser_id;amount\n1;2\n', 2)).toMatchObject({ certainty: 'nothing', value: null });
    expect(conclude('sep=;\nTitel\nuser_id;amount\n1;2\n', 2)).toMatchObject({ certainty: 'proven', value: 3 });
  });

  it('names the line and what it says', () => {
    expect(conclude('Titel\nPersonalnummer;Betrag\n7;5\n').because).toBe('line 2 names user_id, amount');
  });

  it('takes a name of several lines for one, and a line that is no row for one cell', () => {
    const lines = firstLines('a "b\n"Personal-\nnummer";Betrag\n', null);
    expect(lines[0]).toEqual({ line: 1, cells: ['a "b'] });
    expect(lines[1]).toMatchObject({ line: 2, cells: ['Personal- nummer', 'Betrag'] });
  });
});
