/** An office: its people, what is due to them each month, and the files in which that comes. */
import type { Chance } from '../../fuzz/chance.js';
import { canonical, type Json } from '../keys.js';
import { BAD } from '../service.js';

/** A row of a file. Its amount may be mistyped: the service refuses it then. */
export interface Due {
  readonly fields: Readonly<Record<string, Json>>;
  readonly ownKey: string | null;
  /** What is really due. */
  readonly amount: number;
}

/** A file that comes to the clerk's desk, and the reason for it. */
export interface Paper {
  readonly name: string;
  /** From 0. */
  readonly month: number;
  readonly rows: readonly Due[];
}

export type Naming = 'paper' | 'day' | 'none';

/** How this office keeps its files. */
export interface Habits {
  /** Rows carry the last day of their month. */
  readonly dated: boolean;
  /** Rows carry keys of their own. */
  readonly keyed: boolean;
  /** Those keys are the same every month. */
  readonly hasStaleKeys: boolean;
  /** How the clerk names batches: by the paper, by the day on which she types, or not before she is told to. */
  readonly naming: Naming;
  /** She opens rejects in a spreadsheet, which takes leading zeros off. */
  readonly hasSpreadsheet: boolean;
  readonly people: readonly { readonly user: string; salary: number }[];
}

export function anyOffice(chance: Chance): Habits {
  const people = Array.from({ length: 3 + chance.below(4) }, (_, i) => ({
    user: i % 2 === 0 ? `u${i + 1}` : `00${i + 1}7`,
    salary: 1000 + chance.below(5) * 100,
  }));
  const naming = chance.pick<Naming>(['paper', 'paper', 'day', 'none', 'none']);
  const keyed = chance.hits(0.25);
  const keys = { keyed, hasStaleKeys: keyed && chance.hits(0.3) };
  const habits = { dated: chance.hits(0.3), ...keys, naming, hasSpreadsheet: chance.hits(0.3) };
  return { ...habits, people };
}

/** `2026-01` for month 0. */
function monthName(month: number): string {
  return `2026-${String(month + 1).padStart(2, '0')}`;
}

/** What comes in a month: the payroll, and some weeks a bonus for some. */
export function papersOf(office: Habits, month: number, chance: Chance): Paper[] {
  for (const person of office.people) if (chance.hits(0.15)) person.salary += 50;
  const payroll = {
    name: `payroll-${monthName(month)}.csv`,
    month,
    rows: office.people.map(({ user, salary }) => row(user, salary, 'Salary')),
  };
  const papers: Paper[] = [payroll];
  for (let week = 1; week <= 3; week++) {
    if (!chance.hits(0.25)) continue;
    const some = office.people.filter(() => chance.hits(0.5));
    const rows = some.map(({ user }) => row(user, 40 + chance.below(2) * 10, 'Bonus', `-${week}`));
    // Two shifts, two bonuses.
    if (!office.keyed && rows[0] !== undefined && chance.hits(0.2)) rows.push(rows[0]);
    if (rows.length > 0) papers.push({ name: `bonus-${monthName(month)}-${week}.csv`, month, rows });
  }
  return papers;

  function row(user: string, amount: number, title: string, part = ''): Due {
    const wrong = chance.hits(0.06);
    const fields = { user_id: user, title, amount: wrong ? BAD : amount, cost_center_key: 'PP-1' };
    return {
      fields: office.dated ? { ...fields, billing_date: `${monthName(month)}-28` } : fields,
      ownKey: office.keyed ? `${title}${office.hasStaleKeys ? '' : `-${monthName(month)}`}${part}-${user}` : null,
      amount,
    };
  }
}

/** The business row that is to be paid for it in the end. */
export function contentOf({ fields, amount }: Due): string {
  return businessOf(`payout ${canonical({ ...fields, amount })}`);
}

/** What was carried out, as people mean it: no spreadsheet's zeros or capitals make another payment of it. */
function businessOf(carriedOut: string): string {
  const fields = JSON.parse(carriedOut.slice('payout '.length)) as Record<string, Json>;
  const [user, title] = [fields['user_id'], fields['title']] as [string, string];
  return canonical({ ...fields, user_id: user.replace(/^0+/, ''), title: title.toLowerCase() });
}

/** The service's books. */
export function businessIn(done: ReadonlyMap<string, number>): Map<string, number> {
  const all = new Map<string, number>();
  for (const [content, times] of done) all.set(businessOf(content), (all.get(businessOf(content)) ?? 0) + times);
  return all;
}
