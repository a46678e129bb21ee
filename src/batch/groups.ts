/** The groups that a run's records are totalled under, by number: records are many, groups are few. */
import type { TotalGroup } from '../money/totals.js';

/** Numbers of groups by their cost center. */
type CostCenters = Map<string | null, number>;

export class Groups {
  private readonly groups: TotalGroup[] = [];
  /** By type, currency and cost center. */
  private readonly numbers = new Map<string, Map<string | null, CostCenters>>();

  /** One object stands for a group, so that totals can tell groups apart by reference. */
  at(number: number): TotalGroup {
    return this.groups[number] as TotalGroup;
  }

  hasType(type: string): boolean {
    return this.numbers.has(type);
  }

  numberOf(type: string, currency: string | null, costCenter: string | null): number {
    let currencies = this.numbers.get(type);
    if (currencies === undefined) this.numbers.set(type, (currencies = new Map<string | null, CostCenters>()));
    let numbers = currencies.get(currency);
    if (numbers === undefined) currencies.set(currency, (numbers = new Map<string | null, number>()));
    let number = numbers.get(costCenter);
    if (number === undefined) {
      number = this.groups.push({ type, currency, costCenter }) - 1;
      numbers.set(costCenter, number);
    }
    return number;
  }
}
