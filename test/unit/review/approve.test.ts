import { describe, expect, it } from 'vitest';
import type { ApprovedFlags } from '../../../src/journal/audit-log.js';
import type { Run } from '../../../src/journal/payment.js';
import type { RunOptions } from '../../../src/options.js';
import { approvedSendCommand } from '../../../src/review/approve.js';

const NONE = { skipCreated: false, skipSimilar: false, sendSimilar: null } as ApprovedFlags;

/** The command that sends what a call has approved. */
function sending(typed: string, { batchId = 'default', resume = null as Run | null, ...flags } = {}): string {
  const onward = { program: 'gigwork', rerun: typed.split(' ') };
  const options = { onward, resume } as unknown as RunOptions;
  return approvedSendCommand('a.json', { flags: { ...NONE, ...flags }, batchId }, options).join(' ');
}

describe('the command that sends what was approved', () => {
  it('is the one that was typed, with the approval read instead of written', () => {
    expect(sending('gigwork payout create p.csv --approve=a.json --yes')).toBe(
      'gigwork payout create p.csv --yes --approval a.json',
    );
    expect(sending('gigwork gig create --approve=x.json -- -p.csv --approve=y')).toBe(
      'gigwork gig create --approval a.json -- -p.csv --approve=y',
    );
  });

  it.each(['--batch-id old', '--batch-id=old', ''])('names the batch that was approved: %s', (said) => {
    const typed = `gigwork payout create p.csv ${said} --approve=a.json`.replace('  ', ' ');
    const batchId = '2026-11';
    expect(sending(typed, { batchId })).toBe('gigwork payout create p.csv --batch-id 2026-11 --approval a.json');
  });

  it('says what was decided in the review, once', () => {
    const typed = 'gigwork payout create p.csv --skip-created --approve=a.json';
    expect(sending(typed, { skipCreated: true, sendSimilar: 2 } as never)).toBe(
      'gigwork payout create p.csv --skip-created --send-similar 2 --approval a.json',
    );
    const said = 'gigwork payout create p.csv --send-similar=2 --approve=a.json';
    expect(sending(said, { skipSimilar: true, sendSimilar: 2 } as never)).toBe(
      'gigwork payout create p.csv --skip-similar --send-similar 2 --approval a.json',
    );
  });

  it('leaves the batch of a run that is resumed to the run', () => {
    const resumed = { batchId: 'x', resume: {} as Run };
    expect(sending('gigwork batch resume R --approve=a.json', resumed)).toBe(
      'gigwork batch resume R --approval a.json',
    );
  });
});
