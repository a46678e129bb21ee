import { describe, expect, it } from 'vitest';
import type { RecordType } from '../../../src/records/types.js';
import { fieldBySynonym } from '../../../src/input/column-synonyms.js';

describe('a column’s usual name', () => {
  it.each<[string, RecordType, string]>([
    ['Amount', 'payout', 'amount'],
    ['User-ID', 'payout', 'user_id'],
    ['Cost Center Key', 'payout', 'cost_center_key'],
    ['Betrag', 'payout', 'amount'],
    ['BETRAG (EUR)', 'payout', 'amount'],
    ['Amount (£)', 'payout', 'amount'],
    ['Betrag_EUR', 'payout', 'amount'],
    ['Währung', 'payout', 'currency'],
    ['Wa\u0308hrung', 'payout', 'currency'],
    ['Kostenstelle', 'payout', 'cost_center_key'],
    ['Leistungsdatum', 'payout', 'billing_date'],
    ['Leistungsdatum', 'result', 'delivery_date'],
  ])('%s of a %s is %s for sure', (name, type, field) => {
    expect(fieldBySynonym(name, type)).toEqual({ field, exact: true });
  });

  it.each<[string, RecordType, string]>([
    ['Supplier', 'payout', 'user_id'],
    ['Begünstigter/Zahlungspflichtiger', 'payout', 'user_id'],
    ['Verwendungszweck', 'payout', 'title'],
    ['Buchungstag', 'payout', 'billing_date'],
    ['Invoice Date', 'result', 'delivery_date'],
    ['Rechnungsbetrag netto', 'payout', 'amount'],
    ['Umsatz (ohne Soll/Haben-Kz)', 'payout', 'amount'],
    ['KOST1 - Kostenstelle', 'payout', 'cost_center_key'],
    ['Preis', 'payout', 'amount'],
    ['Preis', 'result', 'base_price'],
  ])('%s of a %s is %s, likely', (name, type, field) => {
    expect(fieldBySynonym(name, type)).toEqual({ field, exact: false });
  });

  it.each<[string, RecordType]>([
    ['', 'payout'],
    ['EUR', 'payout'],
    ['Amount XYZ', 'payout'],
    ['BIC', 'payout'],
    ['#3', 'payout'],
    ['Betrag', 'gig'],
    ['x'.repeat(100_000), 'payout'],
  ])('%s of a %s stands for none', (name, type) => {
    expect(fieldBySynonym(name, type)).toBeNull();
  });
});
