/** What each payee got before and gets now: exact sums by type and currency. PURE. There may be a million payees. */
import type { PaymentId } from '../journal/payment.js';
import { exactPayee } from '../prepare/valid-record.js';
import { add, compare, type Decimal, smallUnits, ZERO } from '../money/decimal.js';
import type { ChangedMoney } from '../report/payee-changes-text.js';

/** The finest decimals of a currency: sums of such amounts are integers. Other amounts are added as decimals. */
const DECIMALS = 4;

/** By the number of a payee: the money of one type and currency. */
class MoneyByPayee {
  /** Sums in integers; NaN for a payee without a record. */
  private units = new Float64Array(1 << 10).fill(Number.NaN);
  /** Parts of sums that are no safe integers. */
  private readonly aside = new Map<number, Decimal>();
  /** Payees with a record whose amount is not known. */
  private readonly unknown = new Set<number>();
  /** All sums are in `units`, as they mostly are. */
  private isPlain = true;

  add(payee: number, amount: Decimal | null): void {
    while (payee >= this.units.length) this.grow();
    const sum = this.units[payee] || 0;
    this.units[payee] = sum;
    if (amount === null) {
      this.unknown.add(payee);
      this.isPlain = false;
      return;
    }
    const grown = amount.scale > DECIMALS ? Number.NaN : sum + smallUnits(amount) * 10 ** (DECIMALS - amount.scale);
    if (Number.isSafeInteger(grown)) {
      this.units[payee] = grown;
      return;
    }
    this.aside.set(payee, add(this.aside.get(payee) ?? ZERO, amount));
    this.isPlain = false;
  }

  has(payee: number): boolean {
    return !Number.isNaN(this.units[payee] ?? Number.NaN);
  }

  /** Null if an amount is not known. */
  sum(payee: number): Decimal | null {
    if (this.unknown.has(payee)) return null;
    return add({ units: BigInt(this.units[payee] || 0), scale: DECIMALS }, this.aside.get(payee) ?? ZERO);
  }

  /** Whether another one has the same for a payee. */
  isSame(payee: number, other: MoneyByPayee): boolean {
    const units = this.units[payee] ?? Number.NaN;
    const others = other.units[payee] ?? Number.NaN;
    if (this.isPlain && other.isPlain) return units === others || (Number.isNaN(units) && Number.isNaN(others));
    if (Number.isNaN(units) !== Number.isNaN(others)) return false;
    const one = this.sum(payee);
    const two = other.sum(payee);
    return one === null || two === null ? one === two : compare(one, two) === 0;
  }

  private grow(): void {
    const { units } = this;
    this.units = new Float64Array(units.length * 2).fill(Number.NaN, units.length);
    this.units.set(units);
  }
}

/** Who gets a payment. */
export interface Payee {
  /** See {@link Fingerprint}. */
  payee: number;
  /** See {@link idForm}; null if the body was pruned. */
  form: number | null;
}

export interface KindOfMoney {
  readonly type: string;
  readonly currency: string | null;
}

interface MoneyKind {
  readonly kind: KindOfMoney;
  readonly before: MoneyByPayee;
  now: MoneyByPayee;
}

/** The money of a payee, before and now. */
export interface PayeeMoney {
  /** The payee's first record; null if there is none. */
  readonly index: number | null;
  /** The payee's first payment before; else, in another run of the present batch; null if there is none. */
  readonly payment: PaymentId | null;
  /** Without the types and currencies in which nothing differs. */
  readonly money: readonly ChangedMoney[];
}

export interface PayeeDifference extends PayeeMoney {
  /** `changed`: another amount, also in another currency. */
  readonly kind: 'new' | 'gone' | 'changed';
  /** The hash of the payee: of IDs that fold to the same, each is another payee here. */
  readonly payee: number;
}

/** Numbers payees from 0. An open-addressing table: a Map of hashes above 2^31 would cost a tenth of a dry run. */
class PayeeNumbers {
  private readonly payees: number[] = [];
  /** The number of a payee plus 1; 0 for a free slot. At most half of them are taken. */
  private slots = new Int32Array(1 << 16);

  /** Null if the payee is not known. @param payee its hash */
  find(payee: number): number | null {
    const found = this.slots[this.slotOf(payee)] as number;
    return found === 0 ? null : found - 1;
  }

  /** A new number if the payee is not known. */
  numberOf(payee: number): number {
    const at = this.slotOf(payee);
    const found = this.slots[at] as number;
    if (found !== 0) return found - 1;
    const count = this.payees.push(payee);
    this.slots[at] = count;
    if (count * 2 > this.slots.length) this.grow();
    return count - 1;
  }

  /** That of the payee, or a free one for it. */
  private slotOf(payee: number): number {
    const { slots, payees } = this;
    const last = slots.length - 1;
    // All bits of the hash are mixed.
    let at = payee & last;
    for (;;) {
      const found = slots[at] as number;
      if (found === 0 || payees[found - 1] === payee) return at;
      at = (at + 1) & last;
    }
  }

  private grow(): void {
    this.slots = new Int32Array(this.slots.length * 4);
    for (let i = 0; i < this.payees.length; i++) this.slots[this.slotOf(this.payees[i] as number)] = i + 1;
  }
}

/** Marks a payee without a record in the input. */
const NO_RECORD = -1;

/** Marks a payee without a payment: their numbers begin at 1. */
const NEVER_PAID = 0;

export class PayeeSums {
  private readonly numbers = new PayeeNumbers();
  /** By number of the payee. */
  private readonly paidBefore: PaymentId[] = [];
  private readonly paidNow = new Map<number, PaymentId>();
  private readonly records: number[] = [];
  private readonly payees: number[] = [];
  /** Those with a payment whose body was pruned: it may have been to any ID that folds to the same. */
  private readonly pruned = new Set<number>();
  private readonly kinds: MoneyKind[] = [];

  /** Whether anything was paid to the payee before. @param payee see {@link exactPayee} */
  wasPaid(payee: number): boolean {
    const number = this.numbers.find(payee);
    return number !== null && this.paidBefore[number] !== NEVER_PAID;
  }

  addBefore(payee: Payee, kind: KindOfMoney, amount: Decimal | null, payment: PaymentId): void {
    const number = this.numberOf(payee);
    if (payee.form === null) this.pruned.add(number);
    if (this.paidBefore[number] === NEVER_PAID) this.paidBefore[number] = payment;
    this.kindOf(kind).before.add(number, amount);
  }

  /** Forgets what is paid now. */
  beginNow(): void {
    this.records.fill(NO_RECORD);
    this.paidNow.clear();
    for (const kind of this.kinds) kind.now = new MoneyByPayee();
  }

  /** A payment that another run of the present batch has made. */
  addPaidNow(payee: Payee, kind: KindOfMoney, amount: Decimal | null, payment: PaymentId): void {
    const number = this.numberOf(payee);
    if (!this.paidNow.has(number)) this.paidNow.set(number, payment);
    this.kindOf(kind).now.add(number, amount);
  }

  /** A record of the input. @param index its place */
  addRecord(payee: Payee, kind: KindOfMoney, amount: Decimal | null, index: number): void {
    const number = this.numberOf(payee);
    if (this.records[number] === NO_RECORD) this.records[number] = index;
    this.kindOf(kind).now.add(number, amount);
  }

  differences(): PayeeDifference[] {
    const found: PayeeDifference[] = [];
    for (let number = 0; number < this.records.length; number++)
      if (this.differs(number)) found.push(this.difference(number));
    return found;
  }

  private differs(number: number): boolean {
    for (const { before, now } of this.kinds) if (!before.isSame(number, now)) return true;
    return false;
  }

  private difference(number: number): PayeeDifference {
    const differing = this.kinds.filter(({ before, now }) => !before.isSame(number, now));
    const record = this.records[number] ?? NO_RECORD;
    const index = record === NO_RECORD ? null : record;
    const payment = this.paidBefore[number] || (this.paidNow.get(number) ?? null);
    const kind = this.differenceKind(number);
    return {
      kind,
      payee: this.payees[number] as number,
      index,
      payment,
      money: differing.map(({ kind: { type, currency }, before, now }) => ({
        type,
        currency,
        before: kind === 'new' ? undefined : before.sum(number),
        now: kind === 'gone' ? undefined : now.sum(number),
      })),
    };
  }

  private differenceKind(number: number): PayeeDifference['kind'] {
    if (this.paidBefore[number] === NEVER_PAID) return 'new';
    const isGone = this.records[number] === NO_RECORD && !this.paidNow.has(number);
    return isGone ? 'gone' : 'changed';
  }

  private numberOf({ payee, form }: Payee): number {
    const exact = exactPayee(payee, form ?? 0);
    if (this.pruned.size > 0 && form !== 0 && this.numbers.find(exact) === null) {
      const folded = this.numbers.find(payee);
      if (folded !== null && this.pruned.has(folded)) return folded;
    }
    const number = this.numbers.numberOf(exact);
    if (number === this.records.length) {
      this.payees.push(payee);
      this.records.push(NO_RECORD);
      this.paidBefore.push(NEVER_PAID);
    }
    return number;
  }

  /** There are few, and mostly all records have the same. */
  private kindOf({ type, currency }: KindOfMoney): MoneyKind {
    for (const known of this.kinds) if (known.kind.type === type && known.kind.currency === currency) return known;
    const added = { kind: { type, currency }, before: new MoneyByPayee(), now: new MoneyByPayee() };
    this.kinds.push(added);
    return added;
  }
}
