// @ts-check
// One process on a ledger: one JSON command a line on standard input, one JSON answer a line on standard output.
import { createInterface } from 'node:readline';
import { openSqliteLedger } from '../../../dist/ledger/sqlite/sqlite.js';
/** @import { Ledger } from '../../../src/ledger/ledger.js' */
/** @import { Delivery } from '../../../src/ledger/claims.js' */
/** @import { Preparation } from '../../../src/ledger/plan.js' */
/** @import { Draft } from '../../../src/ledger/payment.js' */

/** Who calls the program. */
const caller = { by: { user: 'clerk', host: 'desk' }, version: '1.2.3', commandLine: 'gigwork' };
const now = () => Date.parse('2026-11-01T08:00:00Z');
/** @type {Ledger} */
let ledger;
/** @type {Preparation} */
let preparation;
/** @type {Delivery | null} */
let delivery;

/** Numbers that are too large for JSON have become text on their way. @param {any} draft @returns {Draft} */
function revived(draft) {
  const { content, similarity, reference, measure } = draft;
  return {
    ...draft,
    content: BigInt(content),
    similarity: BigInt(similarity),
    reference: reference === null ? null : BigInt(reference),
    measure: measure === null ? null : BigInt(measure),
  };
}

/** @type {Record<string, (values: any) => unknown>} */
const commands = {
  async open({ folder }) {
    const opened = await openSqliteLedger({ folder, caller, now, platform: process.platform });
    if (opened === null) throw new Error('no ledger');
    ({ ledger } = opened);
    await ledger.recover();
    return { isNew: opened.isNew };
  },
  async prepare({ head, drafts }) {
    preparation = await ledger.prepare(head);
    await preparation.store(drafts.map(revived));
    return { number: preparation.number, name: preparation.name };
  },
  async commit({ plan, run }) {
    delivery = await ledger.commit({ ...plan, run, preparation: run === null ? preparation : null });
    return delivery?.run ?? null;
  },
  exchange({ settled, wanted }) {
    return delivery?.exchange(settled, wanted);
  },
  version: ({ target }) => ledger.version(target),
  async leave() {
    await delivery?.leave();
    await ledger.leave();
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const { do: name, ...values } = JSON.parse(line);
  process.stdout.write(`${JSON.stringify({ answer: (await commands[name]?.(values)) ?? null })}\n`);
}
