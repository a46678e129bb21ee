/** CONTRACT: `--trim`. */
import { describe, expect, it } from 'vitest';
import { PLAIN_STYLE } from '../../support/cell-style.js';
import { RECORD_SCHEMAS } from '../../../src/records/record-schemas.js';
import { read } from './reading.js';

const TRIM = { ...PLAIN_STYLE, trim: true };

describe('under --trim', () => {
  it('spaces around IDs, codes and choices are no part of them; those of texts are', async () => {
    const text = [
      'user_id;title;amount;currency;cost_center_data.inhouse;cost_center_data.partner_project_code;reference_id',
      ' u1 ; Bonus ;5; EUR;yes ;\u00a0PP-7\t; a b ',
      '',
    ].join('\n');
    const { inputs, records } = await read(text, { style: TRIM, shape: RECORD_SCHEMAS.payout });
    expect(records[0]?.findings).toEqual([]);
    expect(inputs[0]).toEqual({
      user_id: 'u1',
      title: ' Bonus ',
      amount: 5,
      currency: 'EUR',
      cost_center_data: { inhouse: 'yes', partner_project_code: 'PP-7' },
      reference_id: 'a b',
    });
  });

  it('a choice and the topic of a gig too', async () => {
    const text = 'title,invitation_mode,invitation_notification_topic\nAudit, manual , 4711\n';
    const { inputs } = await read(text, { style: TRIM, shape: RECORD_SCHEMAS.gig });
    expect(inputs[0]).toEqual({ title: 'Audit', invitation_mode: 'manual', invitation_notification_topic: 4711 });
  });

  it('a cell of nothing but spaces is empty', async () => {
    const { inputs } = await read('user_id,reference_id\n  ,\u00a0\nu1, \n', {
      style: TRIM,
      shape: RECORD_SCHEMAS.payout,
    });
    expect(inputs).toEqual([{}, { user_id: 'u1' }]);
  });

  it('the currency of an amount is the trimmed one', async () => {
    const style = { ...TRIM, currencySigns: true };
    const text = 'amount;currency\n€5; EUR \n';
    expect((await read(text, { style, shape: RECORD_SCHEMAS.payout })).inputs).toEqual([
      { amount: 5, currency: 'EUR' },
    ]);
    const untrimmed = await read(text, { style: { ...style, trim: false }, shape: RECORD_SCHEMAS.payout });
    expect(untrimmed.records[0]?.findings).toMatchObject([{ code: 'bad-number' }]);
  });
});

it('without it, they stay', async () => {
  const { inputs } = await read('user_id,cost_center_data.inhouse,currency\n u1 ,Yes , EUR\n', {
    style: PLAIN_STYLE,
    shape: RECORD_SCHEMAS.payout,
  });
  expect(inputs).toEqual([{ user_id: ' u1 ', cost_center_data: { inhouse: 'Yes ' }, currency: ' EUR' }]);
});
