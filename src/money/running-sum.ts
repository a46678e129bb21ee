/** A sum that grows with every row of a file and is compared with every row: exact and cheap. */
import { add, compare, type Decimal, smallUnits, ZERO } from './decimal.js';

/** Powers of ten that bring most amounts to one scale; amounts with more decimals use the slower exact addition. */
const POWERS_OF_TEN = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000];

export class RunningSum {
  /** The number of amounts in the sum. */
  count = 0;
  /** At least one amount is not zero. */
  isMoney = false;
  /**
   * The sum is `units / 10^scale + beyond`. It is a safe integer if possible, because BigInts cost far more. It begins
   * as -0, which V8 stores as a double: for an integer that outgrows 31 bits, it would compile the code again.
   */
  private units = -0;
  private scale = 0;
  private beyond = ZERO;

  add(amount: Decimal): void {
    const units = smallUnits(amount);
    this.count++;
    this.isMoney ||= units !== 0;
    const scale = Math.max(this.scale, amount.scale);
    const grown = raised(this.units, scale - this.scale) + raised(units, scale - amount.scale);
    if (Number.isSafeInteger(grown)) {
      this.units = grown;
      this.scale = scale;
    } else this.beyond = add(this.beyond, amount);
  }

  equals(amount: Decimal): boolean {
    const scale = Math.max(this.scale, amount.scale);
    const difference = raised(this.units, scale - this.scale) - raised(smallUnits(amount), scale - amount.scale);
    return this.beyond === ZERO && !Number.isNaN(difference) ? difference === 0 : compare(this.value(), amount) === 0;
  }

  value(): Decimal {
    return add(this.beyond, { units: BigInt(this.units), scale: this.scale });
  }
}

/** NaN if the result may be inexact, and so is everything computed from it. */
function raised(units: number, power: number): number {
  const product = units * (POWERS_OF_TEN[power] ?? Number.NaN);
  return Number.isSafeInteger(product) ? product : Number.NaN;
}
