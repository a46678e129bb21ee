import { describe, expect, it } from 'vitest';
import type { KeySource } from '../../../src/batch/table.js';
import type { LeftOut } from '../../../src/ledger/payment.js';
import { fateInNewRun, fateInRun, type FateRules } from '../../../src/preflight/fate.js';
import { goesOn, history, input, KEYED, lookedUp, type Past, type Row, UNPROTECTED, words } from './kit.js';

const RULES: FateRules = { rules: KEYED, retryRejected: false, bringsBodies: true, batchId: 'default' };

/** The fate of the one record of an input that has this key and says X. */
function inNewRun(row: Partial<Row>, past: readonly Past[], over: Partial<FateRules> = {}): string {
  const { type = 'payout', source = 'content' } = row;
  const prepared = input({ key: 'k', ...row });
  const { entries } = prepared;
  const asked = {
    index: 0,
    type,
    bodyHash: entries.bodyHash(0),
    content: entries.content(0),
    identifies: source !== 'content',
  };
  return words(fateInNewRun(asked, lookedUp(prepared, history(...past)), { ...RULES, ...over }));
}

interface Case {
  /** The sentence of the contract. */
  readonly says: string;
  readonly row?: Partial<Row>;
  readonly past: readonly Past[];
  readonly over?: Partial<FateRules>;
  readonly fate: string;
}

const own = { source: 'own' as KeySource };
const columns = { source: 'columns' as KeySource };

const BY_KEY: readonly Case[] = [
  { says: 'what is not in the history is a payment of its own', past: [{ key: 'other' }], fate: 'send' },
  {
    says: 'created-before: the same content key, created',
    past: [{ key: 'k' }],
    fate: 'repeat created-before 1',
  },
  {
    says: 'created-before: the same content key, in doubt',
    past: [{ key: 'k', state: 'unknown' }],
    fate: 'repeat created-before 1',
  },
  {
    says: 'open-before: the same content key, open in another run that is neither finished nor closed',
    past: [{ key: 'k', state: 'not_sent', ended: false }],
    fate: 'repeat open-before 1',
  },
  {
    says: 'open in a run that is closed, a payment is sent by whoever has it',
    past: [{ key: 'k', state: 'not_sent', ended: true }],
    fate: 'send 1',
  },
  {
    says: 'a key that its record gave itself identifies: already_created, without a question',
    row: own,
    past: [{ key: 'k' }],
    fate: 'created 1',
  },
  {
    says: 'a key that --key-columns computed identifies: already_created, without a question',
    row: columns,
    past: [{ key: 'k' }],
    fate: 'created 1',
  },
  {
    says: 'an identifying key that is open elsewhere is sent once: the same payment',
    row: own,
    past: [{ key: 'k', state: 'not_sent', ended: false, live: true }],
    fate: 'send 1',
  },
  {
    says: 'a keyed record in doubt is sent again with the same key within its lifetime',
    row: own,
    past: [{ key: 'k', state: 'unknown' }],
    fate: 'send 1 unknown',
  },
  {
    says: 'after the lifetime it stays unknown',
    row: own,
    past: [{ key: 'k', state: 'unknown' }],
    over: { rules: UNPROTECTED },
    fate: 'unknown 1',
  },
  {
    says: 'gigs in doubt stay unknown at once',
    row: { ...own, type: 'gig' },
    past: [{ key: 'k', type: 'gig', state: 'unknown' }],
    fate: 'unknown 1',
  },
  {
    says: 'a gig in doubt that a live process has under way is waited for',
    row: { ...own, type: 'gig' },
    past: [{ key: 'k', type: 'gig', state: 'unknown', live: true }],
    fate: 'send 1 unknown',
  },
  {
    says: 'definitely rejected, it may come again in a new run as it was: under that key',
    past: [{ key: 'k', state: 'rejected' }],
    fate: 'send 1 rejected',
  },
  {
    says: 'or with its key and other content: it replaces itself',
    row: own,
    past: [{ key: 'k', says: 'Y', state: 'rejected' }],
    fate: 'send replacing 1',
  },
  {
    says: 'an open key of a run that nobody delivers passes on to other content',
    row: own,
    past: [{ key: 'k', says: 'Y', state: 'not_sent', ended: false }],
    fate: 'send replacing 1',
  },
  {
    says: 'but not from under a live run',
    row: own,
    past: [{ key: 'k', says: 'Y', state: 'not_sent', live: true }],
    fate: 'conflict 1',
  },
  {
    says: 'nor while a live run sends the rejected one again',
    row: own,
    past: [{ key: 'k', says: 'Y', state: 'rejected', live: true }],
    fate: 'conflict 1',
  },
  {
    says: 'key-conflict: the same key with other content than a payment that was created',
    row: own,
    past: [{ key: 'k', says: 'Y' }],
    fate: 'conflict 1',
  },
  {
    says: 'key-conflict: or whose outcome is unknown',
    row: own,
    past: [{ key: 'k', says: 'Y', state: 'unknown' }],
    fate: 'conflict 1',
  },
];

const CORRECTED: readonly Case[] = [
  {
    says: 'a row with the key of a rejected payment replaces that payment',
    row: { says: 'mended', corrects: 'old' },
    past: [{ key: 'old', state: 'rejected' }],
    fate: 'send replacing 1',
  },
  {
    says: 'one that the journal does not know at this target is a record of its own',
    row: { corrects: 'old' },
    past: [],
    fate: 'send',
  },
  {
    says: 'created: created-before',
    row: { says: 'mended', corrects: 'old' },
    past: [{ key: 'old' }],
    fate: 'repeat created-before 1',
  },
  {
    says: 'in doubt: created-before',
    row: { says: 'mended', corrects: 'old' },
    past: [{ key: 'old', state: 'unknown' }],
    fate: 'repeat created-before 1',
  },
  {
    says: 'replaced already: created-before, and what is shown is what replaced it last',
    row: { says: 'mended twice', corrects: 'old' },
    past: [
      { key: 'old', state: 'rejected', replacedBy: 2 },
      { key: 'm1', says: 'mended', state: 'rejected', replacedBy: 3 },
      { key: 'm2', says: 'mended otherwise' },
    ],
    fate: 'repeat created-before 3',
  },
  {
    says: 'rejected, but a live run may send it again at any moment: created-before',
    row: { says: 'mended', corrects: 'old' },
    past: [{ key: 'old', state: 'rejected', live: true }],
    fate: 'repeat created-before 1',
  },
  {
    says: 'a row that has the key of what it corrects is that payment with other content',
    row: { ...own, says: 'mended', corrects: 'k' },
    past: [{ key: 'k', state: 'rejected' }],
    fate: 'send replacing 1',
  },
  {
    says: 'the same corrected row once more is the payment that it made: identified, it is already_created',
    row: { ...own, corrects: 'old' },
    past: [
      { key: 'old', state: 'rejected', replacedBy: 2 },
      { key: 'k', says: 'X' },
    ],
    fate: 'created 2',
  },
  {
    says: 'one of two identical rows, which was rejected, comes again from the rejects as itself, and not as the other',
    row: { corrects: 'k2' },
    past: [{ key: 'k' }, { key: 'k2', state: 'rejected' }],
    fate: 'send 2 rejected',
  },
  {
    says: 'where its own key is new, it is sent under that: what was checked is what is sent',
    row: { corrects: 'k2' },
    past: [{ key: 'k2', state: 'rejected' }],
    fate: 'send replacing 1',
  },
  {
    says: 'in another batch its key there tells what it is',
    row: { corrects: 'k2' },
    past: [
      { key: 'k', batchId: 'b' },
      { key: 'k2', state: 'rejected' },
    ],
    over: { batchId: 'b' },
    fate: 'repeat created-before 1',
  },
  {
    says: 'rejected in its turn, it may come again as it was',
    row: { corrects: 'old' },
    past: [
      { key: 'old', says: 'faulty', state: 'rejected', replacedBy: 2 },
      { key: 'k', state: 'rejected' },
    ],
    fate: 'send 2 rejected',
  },
  {
    says: 'its own key may pass on to it as well: both are closed',
    row: { ...own, says: 'mended', corrects: 'old' },
    past: [
      { key: 'old', state: 'rejected' },
      { key: 'k', says: 'Y', state: 'rejected' },
    ],
    fate: 'send replacing 2 1',
  },
];

const REPLACED: readonly Case[] = [
  {
    says: 'the old row of a payment that was mended stays rejected and is never sent again, by no flag',
    past: [
      { key: 'k', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended' },
    ],
    over: { retryRejected: true, rules: { isProtected: () => true, mayResend: () => true } },
    fate: 'rejected 1',
  },
  {
    says: 'with its key and other content once more, it is created-before by what replaced it',
    row: { ...own, says: 'mended otherwise' },
    past: [
      { key: 'k', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended' },
    ],
    fate: 'repeat created-before 2',
  },
];

describe('the fate of a record of a new run', () => {
  it.each([...BY_KEY, ...CORRECTED, ...REPLACED])('$says', ({ row = {}, past, over, fate }) => {
    expect(inNewRun(row, past, over)).toBe(fate);
  });
});

interface ListedCase {
  readonly says: string;
  readonly past: readonly Past[];
  readonly leftOut?: LeftOut;
  readonly underWay?: boolean;
  readonly over?: Partial<FateRules>;
  readonly fate: string;
}

/** The fate of the one record of a run that goes on and lists the first payment of the history. */
function inRun({ past, leftOut, underWay = false, over }: ListedCase): string {
  const type = past[0]?.type ?? 'payout';
  const prepared = input({ key: 'k', type });
  const known = goesOn(prepared, history(...past), [{ payment: 1, leftOut: leftOut ?? null, underWay }]);
  const asked = {
    index: 0,
    type,
    bodyHash: prepared.entries.bodyHash(0),
    content: prepared.entries.content(0),
    identifies: false,
  };
  return words(fateInRun(asked, known.listed.get(0)!, known, { ...RULES, ...over }));
}

const retried = { retryRejected: true };

const LISTED: readonly ListedCase[] = [
  { says: 'what is open is sent', past: [{ key: 'k', state: 'not_sent' }], fate: 'send 1' },
  {
    says: 'what was rejected stays rejected',
    past: [{ key: 'k', state: 'rejected' }],
    fate: 'rejected 1',
  },
  {
    says: 'unless --retry-rejected is said',
    past: [{ key: 'k', state: 'rejected' }],
    over: retried,
    fate: 'send 1 rejected',
  },
  {
    says: 'what was replaced is never sent again by any run, resume or flag',
    past: [
      { key: 'k', state: 'rejected', replacedBy: 2 },
      { key: 'm', says: 'mended' },
    ],
    over: retried,
    fate: 'rejected 1',
  },
  {
    says: 'a pruned body is brought by the input',
    past: [{ key: 'k', state: 'rejected', hasBody: false }],
    over: retried,
    fate: 'send 1 rejected',
  },
  {
    says: 'from the journal alone, what has no body any more cannot be sent',
    past: [{ key: 'k', state: 'rejected', hasBody: false }],
    over: { ...retried, bringsBodies: false },
    fate: 'rejected 1',
  },
  {
    says: 'a keyed record in doubt is sent again under its key',
    past: [{ key: 'k', state: 'unknown' }],
    fate: 'send 1 unknown',
  },
  {
    says: 'past its lifetime it is unknown',
    past: [{ key: 'k', state: 'unknown' }],
    over: { rules: UNPROTECTED },
    fate: 'unknown 1',
  },
  {
    says: 'a gig in doubt is unknown',
    past: [{ key: 'k', type: 'gig', state: 'unknown' }],
    fate: 'unknown 1',
  },
  {
    says: 'a record under way in another live process is waited for, a gig too',
    past: [{ key: 'k', type: 'gig', state: 'unknown' }],
    underWay: true,
    fate: 'send 1',
  },
  {
    says: 'left out beside a payment in doubt, it is unknown, whatever protects that payment',
    past: [{ key: 'q', state: 'unknown' }],
    leftOut: 'same',
    fate: 'unknown 1 same',
  },
  {
    says: 'skipped: the payment that it repeats is created',
    past: [{ key: 'q' }],
    leftOut: 'same',
    fate: 'created 1 same',
  },
  {
    says: 'skipped beside doubt, then settled as not created: the record is open again by itself',
    past: [{ key: 'q', state: 'not_sent' }],
    leftOut: 'same',
    fate: 'send 1',
  },
  {
    says: 'skipped beside a similar payment that was not made: the record is open again, and sent in its place',
    past: [{ key: 'q', says: 'Y', state: 'not_sent' }],
    leftOut: 'similar',
    fate: 'send replacing 1',
  },
  {
    says: 'but only with the input, which has what is sent',
    past: [{ key: 'q', says: 'Y', state: 'not_sent' }],
    leftOut: 'similar',
    over: { bringsBodies: false },
    fate: 'not_sent 1 similar',
  },
  {
    says: 'one that stands for a rejected payment is not sent with it',
    past: [{ key: 'q', state: 'rejected' }],
    leftOut: 'same',
    over: retried,
    fate: 'rejected 1 same',
  },
];

describe('the fate of a record of a run that goes on', () => {
  it.each(LISTED)('$says', (row) => {
    expect(inRun(row)).toBe(row.fate);
  });

  it('an open key that other content was sent under meanwhile is a key-conflict, with that payment', () => {
    const prepared = input({ key: 'k' });
    const past = history({ key: 'k', state: 'not_sent', replacedBy: 2 }, { key: 'k', says: 'Y' });
    const known = goesOn(prepared, past, [{ payment: 1 }]);
    const asked = {
      index: 0,
      type: 'payout' as const,
      bodyHash: prepared.entries.bodyHash(0),
      content: prepared.entries.content(0),
      identifies: true,
    };
    expect(words(fateInRun(asked, known.listed.get(0)!, known, RULES))).toBe('conflict 2');
  });
});
