import { describe, expect, it } from 'vitest';
import { fieldsOfColumns, type Said } from '../../../../src/input/setup/column-fields.js';
import { KINDS } from '../../../../src/records/kinds.js';

const USUAL: Readonly<Record<string, string>> = {
  Personalnummer: 'user_id',
  IBAN: 'user_id',
  Betrag: 'amount',
  Amount: 'amount',
  Text: 'title',
  Kostenstelle: 'cost_center_key',
  Währung: 'currency',
  Currency: 'currency',
  Notiz: 'description',
  Menge: 'quantity',
};

const NOTHING_SAID: Said = { map: new Map(), ignore: new Set(), set: [] };

function look(names: string[], said: Partial<Said> = {}, type: 'payout' | 'result' = 'payout') {
  const found = fieldsOfColumns(names, KINDS[type], { ...NOTHING_SAID, ...said }, (name) => USUAL[name] ?? null);
  return {
    ...found,
    columns: found.columns.map(({ name, path, why }) => `${name} → ${path}: ${why}`),
    suggestions: found.suggestions.map(({ name, path }) => `${name} → ${path}?`),
  };
}

describe('which column gives which field', () => {
  it('takes exact names and usual ones, and knows what is left', () => {
    expect(look(['user_id', 'Betrag', 'Text', 'Filiale'])).toEqual({
      columns: ['user_id → user_id: exact', 'Betrag → amount: usual', 'Text → title: usual'],
      rivals: [],
      suggestions: [],
      others: ['Filiale'],
      missing: ['cost_center_key or cost_center_data'],
    });
  });

  it('takes what was said before all else', () => {
    const said = {
      map: new Map([['Filiale', 'cost_center_key']]),
      ignore: new Set(['Betrag']),
      set: ['title', 'currency'],
    };
    expect(look(['Personalnummer', 'Betrag', 'Text', 'Währung', 'Filiale', 'Kostenstelle'], said)).toEqual({
      columns: ['Filiale → cost_center_key: said', 'Personalnummer → user_id: usual'],
      rivals: [],
      suggestions: [],
      others: ['Text', 'Währung', 'Kostenstelle'],
      missing: ['amount'],
    });
  });

  it('decides between no two columns that may both be meant', () => {
    const found = look(['Personalnummer', 'IBAN', 'Betrag', 'Text', 'Kostenstelle']);
    expect(found.rivals).toEqual([{ path: 'user_id', names: ['Personalnummer', 'IBAN'] }]);
    expect(found.missing).toEqual([]);
    expect(look(['user_id', 'IBAN', 'Personalnummer']).rivals).toEqual([]);
  });

  it.each<[name: string, suggestions: string[]]>([
    ['ammount', ['ammount → amount?']],
    ['Net Amount (GBP)', ['Net Amount (GBP) → amount?']],
    ['Währung des Belegs', ['Währung des Belegs → currency?']],
    // Its loss changes no payment.
    ['Interne Notiz', []],
    ['Filiale', []],
  ])('suggests what %j may be meant for', (name, suggestions) => {
    const found = look(['user_id', name]);
    expect(found.suggestions).toEqual(suggestions);
    expect(found.others).toEqual(suggestions.length === 0 ? [name] : []);
  });

  it('suggests nothing for a field that is given', () => {
    expect(look(['amount', 'Net Amount', 'ammount']).others).toEqual(['Net Amount', 'ammount']);
  });

  it('knows parts of nested fields, prices, and the columns of its own files', () => {
    const names = [
      'gig_task_id',
      'Menge',
      'base_price',
      'cost_center_data.inhouse',
      'gigwork_error',
      'user_id',
      'title',
    ];
    expect(look(names, {}, 'result')).toMatchObject({
      columns: [
        'gig_task_id → gig_task_id: exact',
        'base_price → base_price: exact',
        'cost_center_data.inhouse → cost_center_data.inhouse: exact',
        'user_id → user_id: exact',
        'title → title: exact',
        'Menge → quantity: usual',
      ],
      others: [],
      missing: [],
    });
  });
});
