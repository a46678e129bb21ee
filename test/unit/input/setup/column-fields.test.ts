import { describe, expect, it } from 'vitest';
import { fieldsOfColumns, type Said } from '../../../../src/input/setup/columns.js';
import { KINDS } from '../../../../src/records/kinds.js';

const NOTHING_SAID: Said = { map: new Map(), ignore: new Set(), set: [] };

function look(names: string[], said: Partial<Said> = {}, type: 'payout' | 'result' = 'payout', ignoreOthers = false) {
  const found = fieldsOfColumns(names, KINDS[type], { ...NOTHING_SAID, ...said }, ignoreOthers);
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
      twice: [],
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
    expect(look(['User ID', 'Betrag', 'Titel', 'Währung', 'Filiale', 'Kostenstelle'], said)).toEqual({
      columns: ['Filiale → cost_center_key: said', 'User ID → user_id: usual'],
      suggestions: [],
      twice: [],
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
    expect(look(names, {}, 'payout', true)).toMatchObject({ suggestions: [], others: names });
  });

  it('suggests nothing for a field that is given', () => {
    expect(look(['amount', 'Net amount', 'ammount']).others).toEqual(['Net amount', 'ammount']);
    expect(look(['Betrag', 'Netto']).others).toEqual(['Netto']);
  });

  it('knows no column that has the name of another', () => {
    expect(look(['Betrag', 'Betrag', '', '', 'x']).twice).toEqual(['Betrag']);
  });

  it('knows parts of nested fields, and prices', () => {
    const names = ['gig_task_id', 'Menge', 'base_price', 'cost_center_data.inhouse', 'user_id', 'title'];
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
