/** From what the rows show to how they are read: decimal mark, order of dates, signs of currencies, direction of amounts. */
import { CURRENCIES } from '../../records/currencies.js';
import { splitSign } from '../currency-signs.js';
import type { DateOrder } from '../dates.js';
import type { DecimalMark } from '../numbers.js';
import type { ColumnField } from './named-columns.js';
import { type Conclusion, NOTHING_TO_SAY, saidSo, type Seen, seenWords } from './conclusion.js';
import { concludeOrder, monthOf } from './date-orders.js';
import { directionsIn, type Evidence, holdsCurrencies, type MoneyEvidence } from './evidence.js';
import { concludeMarks } from './number-marks.js';

/** What the person has said; null where nothing. */
export interface SaidWays {
  readonly decimal: DecimalMark | null;
  readonly dateOrder: DateOrder | null;
  readonly negate: boolean | null;
  /** Drop every column that is no field, whatever it may be meant for. */
  readonly ignoreOthers: boolean;
}

export interface Ways {
  readonly decimal: Conclusion<DecimalMark>;
  /** The mark under which all numbers are read as they are without any; null where there is none with decimals. */
  readonly usualMark: 'point' | null;
  readonly dateOrder: Conclusion<DateOrder>;
  /** YYYY-MM, where all dates lie in one month. */
  readonly month: string | null;
  /** A number and a date of the file on which their reading is shown: the ones that prove it or are in doubt. */
  readonly shownNumber: string | null;
  readonly shownDate: string | null;
  /** The first amount with a currency's sign; null where there is none. */
  readonly signed: Seen | null;
  /** The currency that the signs give to every record. */
  readonly currency: Conclusion<string>;
  readonly negate: Conclusion<boolean>;
  /** Columns about which something must be said before they are dropped or read. */
  readonly doubts: readonly ColumnDoubt[];
}

export interface ColumnDoubt {
  readonly column: string;
  readonly because: string;
  /** The field that it may be meant for; null where only dropping it helps. */
  readonly path: string | null;
}

/** @param hasCurrency whether a column or a value for every record gives the currency. @param today YYYY-MM-DD */
export function waysOf(
  evidence: Evidence,
  columns: readonly ColumnField[],
  saidWays: SaidWays,
  hasCurrency: boolean,
  today: string,
): Ways {
  const { numbers, dates, money } = evidence;
  const marks = concludeMarks([...numbers].map(([name, each]) => ({ name, evidence: each })));
  const orders = [...dates].map(([name, each]) => concludeOrder(name, each, today));
  const order = orders.find(({ certainty }) => certainty !== 'nothing') ?? NOTHING_TO_SAY;
  const [dated] = dates.values();
  const signs = [...money.values()].flatMap((each) => [...each.signs.values()]);
  return {
    decimal: saidWays.decimal === null ? marks : saidSo(saidWays.decimal),
    usualMark: [...numbers.values()].some(({ only }) => only.point !== null) ? 'point' : null,
    dateOrder: saidWays.dateOrder === null ? order : saidSo(saidWays.dateOrder),
    month: dated === undefined ? null : monthOf(dated, saidWays.dateOrder ?? order.value),
    shownNumber: shownOf(numbers.values(), ({ only, ambiguous, either }) => {
      const proofs = [only.comma, only.point];
      const doubts = [ambiguous.point, ambiguous.comma];
      return marks.certainty === 'proven' ? [...proofs, ...doubts] : [...doubts, ...proofs, either];
    }),
    shownDate: shownOf(dates.values(), ({ ambiguous, only, either }) =>
      order.certainty === 'proven' ? [only.dmy, only.mdy] : [ambiguous, only.dmy, only.mdy, either],
    ),
    signed: signs[0] ?? null,
    currency: hasCurrency ? contradiction(evidence, columns) : concludeCurrency(money),
    negate: saidWays.negate === null ? concludeNegation([...money.values()]) : saidSo(saidWays.negate),
    doubts: [...unreadColumns(evidence, columns), ...otherDoubts(evidence, hasCurrency, saidWays.ignoreOthers)],
  };
}

function shownOf<T>(all: Iterable<T>, seenIn: (evidence: T) => readonly (Seen | null)[]): string | null {
  const seen = [...all].flatMap(seenIn).filter((each) => each !== null);
  return seen[0]?.typed ?? null;
}

/** Of amounts with a sign, or of a column whose name has one. */
function concludeCurrency(money: ReadonlyMap<string, MoneyEvidence>): Conclusion<string> {
  const signs = new Map([...money.values()].flatMap((each) => [...each.signs]));
  const [[sign, seen] = [], second] = [...signs];
  if (sign === undefined || seen === undefined) return currencyInName(money.keys());
  const open = (because: string, value: string | null): Conclusion<string> => ({
    ...{ certainty: value === null ? 'open' : 'likely', value, because },
    say: [`--set currency=${value ?? 'CODE'}`, "--map 'COLUMN=currency'"],
  });
  if (second !== undefined)
    return open(`amounts carry several currencies, as in ${seenWords(seen)} and ${seenWords(second[1])}`, null);
  const [code = null, another] = seen.currencies;
  if (code === null || another !== undefined)
    return open(
      `${seenWords(seen)} carries ${sign}, which several currencies share, and no column gives the currency`,
      code,
    );
  if (!CURRENCIES.has(code))
    return open(`${seenWords(seen)} carries ${sign}, which is no currency that is known`, null);
  const unsigned = [...money.values()].find((each) => each.unsigned !== null)?.unsigned ?? null;
  if (unsigned !== null)
    return open(`${seenWords(seen)} carries ${sign}, and ${seenWords(unsigned)} carries none`, code);
  return {
    ...{ certainty: 'proven', value: code, say: [`--set currency=${code}`] },
    because: `every amount carries ${sign}, as in ${seenWords(seen)}`,
  };
}

/** `Amount (EUR)`, `Betrag in €`: the currency that the name of a column with amounts says, and the name. */
function inName(names: Iterable<string>): { readonly code: string; readonly name: string } | null {
  for (const name of names) {
    const sign = /(?:\p{Sc}|(?<!\p{L})[A-Z]{3})(?=[)\]]?$)/u.exec(name)?.[0];
    const [code, another] = sign === undefined ? [] : (splitSign(`1 ${sign}`)?.currencies ?? []);
    if (code !== undefined && another === undefined && CURRENCIES.has(code)) return { code, name };
  }
  return null;
}

function currencyInName(names: Iterable<string>): Conclusion<string> {
  const found = inName(names);
  if (found === null) return NOTHING_TO_SAY;
  const { code, name } = found;
  return {
    ...{ certainty: 'proven', value: code, say: [`--set currency=${code}`] },
    because: `the column ${name} says so`,
  };
}

/** Amounts in one currency beside a column of others: what was paid once, converted, would count as what it was before. */
function contradiction({ money, currencies }: Evidence, columns: readonly ColumnField[]): Conclusion<string> {
  const found = inName(money.keys());
  const column = columns.find(({ path }) => path === 'currency');
  if (found === null || column === undefined || column.why === 'said') return NOTHING_TO_SAY;
  const other = [...(currencies?.values ?? [])].find(([value]) => value !== found.code)?.[1];
  if (other === undefined) return NOTHING_TO_SAY;
  const because = `the column ${found.name} says ${found.code}, and the column ${column.name} says otherwise, as in ${seenWords(other)}`;
  const say = [`--set currency=${found.code}`, "--map 'COLUMN=currency'"];
  return { certainty: 'likely', value: found.code, because, say };
}

function concludeNegation(money: readonly MoneyEvidence[]): Conclusion<boolean> {
  const negative = money.reduce((sum, each) => sum + each.negative, 0);
  const positive = money.reduce((sum, each) => sum + each.positive, 0);
  const first = money.find((each) => each.firstNegative !== null)?.firstNegative ?? null;
  // A few negative amounts among others are corrections, and are read as they stand.
  if (first === null || negative <= positive) return NOTHING_TO_SAY;
  const count = positive === 0 ? 'every amount is' : `${negative} of ${negative + positive} amounts are`;
  const because = `${count} negative, as in ${seenWords(first)}: bank exports write so what goes out`;
  return { certainty: 'likely', value: true, because, say: ['--negate'] };
}

/** Columns of which not one value can be read. */
function unreadColumns({ numbers, dates }: Evidence, columns: readonly ColumnField[]): ColumnDoubt[] {
  const kinds = [
    ...[...numbers].map(([column, evidence]) => ({ column, evidence, what: 'number' })),
    ...[...dates].map(([column, evidence]) => ({ column, evidence, what: 'date' })),
  ];
  return kinds.flatMap(({ column, evidence: { none, unread, filled }, what }) => {
    if (none === null || unread < filled) return [];
    const path = columns.find(({ name }) => name === column)?.path ?? '';
    const because = `the column ${column} gives ${path}, and none of its values is a ${what} that is read, as in ${seenWords(none)}`;
    return [{ column, because, path: null }];
  });
}

/** Columns that change what an amount is: they are dropped only where each is named, unless dropping it loses nothing. */
function otherDoubts({ others }: Evidence, hasCurrency: boolean, ignoreOthers: boolean): ColumnDoubt[] {
  return [...others].flatMap(([column, evidence]): ColumnDoubt[] => {
    const isOne = evidence.values?.size === 1;
    if (!hasCurrency && holdsCurrencies(evidence) && !(isOne && ignoreOthers)) {
      const [first] = evidence.values?.values() ?? [];
      return [
        {
          column,
          because: `the column ${column} holds currencies, as in ${seenWords(first as Seen)}`,
          path: 'currency',
        },
      ];
    }
    const [one, other] = directionsIn(evidence);
    if (one === undefined || other === undefined) return [];
    const because = `the column ${column} says of each amount whether it goes in or out, as in ${seenWords(one)} and ${seenWords(other)}, and that is not read: import the rows of one kind alone`;
    return [{ column, because, path: null }];
  });
}
