/** Where records are stored while they are read. */
import type { Keyed, Ledger, Preparation, TargetName } from '../ledger/ledger.js';
import type { PaymentId } from '../ledger/payment.js';

/** The ledger, as far as the preparation of a run needs it. */
export interface Store {
  readonly preparation: Preparation;
  /** The payments that records are already, in the order asked for; 0 for none. */
  readonly stored: (records: readonly Keyed[]) => Promise<readonly PaymentId[]>;
  /** Whether the target has no history: then nothing is asked for. */
  readonly isEmpty: boolean;
}

/** Null where nothing is stored: in a dry run. */
export async function storeOn(
  ledger: Ledger | null,
  target: TargetName | null,
  preparation: Preparation | null,
): Promise<Store | null> {
  if (ledger === null || target === null || preparation === null) return null;
  return {
    preparation,
    stored: (records) => ledger.stored(target, records),
    isEmpty: (await ledger.version(target)) === 0,
  };
}
