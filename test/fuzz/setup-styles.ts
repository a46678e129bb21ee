/** Files of a known truth, written in a style that only their maker knows. */
import type { Chance } from './chance.js';

/** What a row means. */
export interface Truth {
  readonly user: string;
  /** Cents, or thousandths where the style has three decimals. */
  readonly amount: string;
  readonly currency: string;
  readonly date: string;
}

export interface Written {
  readonly text: string;
  readonly rows: readonly Truth[];
  readonly flags: readonly string[];
}

interface Style {
  readonly mark: '.' | ',';
  readonly group: string;
  /** 0 and 2 in turns where null. */
  readonly decimals: number | null;
  readonly sign: (number: string) => string;
  readonly currency: string;
  readonly hasCurrencyColumn: boolean;
  readonly date: (year: string, month: string, day: string) => string;
  readonly negative: number;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

const DATES: readonly Style['date'][] = [
  (y, m, d) => `${y}-${m}-${d}`,
  (y, m, d) => `${d}.${m}.${y}`,
  (y, m, d) => `${Number(d)}.${Number(m)}.${y}`,
  (y, m, d) => `${d}/${m}/${y}`,
  (y, m, d) => `${m}/${d}/${y}`,
  (y, m, d) => `${Number(m)}/${Number(d)}/${y}`,
  (y, m, d) => `${d}-${m}-${y}`,
  (y, m, d) => `${d}.${m}.${y.slice(2)}`,
  (y, m, d) => `${m}/${d}/${y.slice(2)}`,
  (y, m, d) => `${y.slice(2)}-${m}-${d}`,
  (y, m, d) => `${y.slice(2)}/${m}/${d}`,
  (y, m, d) => `${d}-${MONTHS[Number(m) - 1]}-${y.slice(2)}`,
  (y, m, d) => `${d}-${MONTHS[Number(m) - 1]}-${y}`,
  (y, m, d) => `${y}-${m}-${d}T00:00:00`,
  (y, m, d) => `${y}/${m}/${d}`,
  (y, m, d) => `${y}${m}${d}`,
];

const SIGNS: readonly (readonly [currency: string, sign: Style['sign']])[] = [
  ['EUR', (number) => number],
  ['EUR', (number) => `${number} €`],
  ['EUR', (number) => `${number} EUR`],
  ['GBP', (number) => (number.startsWith('-') ? `-£${number.slice(1)}` : `£${number}`)],
  ['USD', (number) => (number.startsWith('-') ? `-$${number.slice(1)}` : `$${number}`)],
  ['CHF', (number) => `CHF ${number}`],
];

function styleOf(chance: Chance): Style {
  const mark = chance.pick(['.', ','] as const);
  const [currency, sign] = chance.hits(0.5) ? SIGNS[0]! : chance.pick(SIGNS);
  return {
    mark,
    group: chance.pick(['', '', mark === '.' ? ',' : '.', mark === '.' ? ',' : '.', "'", '’', ' ', '\u00a0', '\u202f']),
    decimals: chance.pick([2, 2, 2, 2, 0, 3, 1, null]),
    sign,
    currency,
    hasCurrencyColumn: chance.hits(0.5),
    date: chance.pick(DATES),
    negative: chance.pick([0, 0, 0, 0.1, 1]),
  };
}

function numberText(units: string, decimals: number, { mark, group }: Style): string {
  const digits = units.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=(\d{3})+$)/g, group);
  return decimals === 0 ? whole : `${whole}${mark}${digits.slice(-decimals)}`;
}

/** The number in its shortest form, as a dry run shows it. */
function plain(units: string, decimals: number, isNegative: boolean): string {
  const digits = units.padStart(decimals + 1, '0');
  const text = decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
  return String(Number(`${isNegative ? '-' : ''}${text}`));
}

const NAMES: readonly (readonly [
  user: string,
  amount: string,
  date: string,
  title: string,
  center: string,
  currency: string,
])[] = [
  ['user_id', 'amount', 'billing_date', 'title', 'cost_center_key', 'currency'],
  ['User ID', 'Amount', 'Billing date', 'Title', 'Cost Center', 'Currency'],
  ['Nutzer-ID', 'Betrag', 'Leistungsdatum', 'Titel', 'Kostenstelle', 'Währung'],
];

const OTHERS: readonly (readonly [string, (chance: Chance) => string])[] = [
  ['Filiale', (chance) => chance.pick(['Köln', 'Bonn', ''])],
  ['Kurs', (chance) => `1,0${chance.below(999)}`],
  ['Zähler', (chance) => String(chance.below(1000))],
  ['Freigabe', (chance) => chance.pick(['J', 'N'])],
];

const TITLES: readonly string[] = [
  'Auszahlungsliste',
  'Stand: 30.11.2026 18:04',
  'Mandant;0100;Musterbau',
  '',
  '"Bericht, alle"',
];

/** A file, with flags that a person who knows nothing of its style would say all the same. */
export function writtenFile(chance: Chance): Written {
  const style = styleOf(chance);
  const delimiter = chance.pick([';', ';', '\t', ',', '|']);
  const [user, amount, date, title, center, currency] = chance.pick(NAMES);
  const others = OTHERS.filter(() => chance.hits(0.3));
  const hasDate = chance.hits(0.8);
  const names = [
    user,
    title,
    amount,
    center,
    ...(hasDate ? [date] : []),
    ...(style.hasCurrencyColumn ? [currency] : []),
    ...others.map(([name]) => name),
  ];
  const order = names.map((_name, i) => i).sort(() => chance.below(3) - 1);
  const quoted = (cell: string): string =>
    /[;,|\t"]/.test(cell) || chance.hits(0.05) ? `"${cell.replaceAll('"', '""')}"` : cell;
  const line = (cells: readonly string[]): string => order.map((i) => quoted(cells[i] ?? '')).join(delimiter);
  const count = 1 + chance.below(chance.pick([2, 6, 30]));
  const month = chance.below(12) + 1;
  const rows: Truth[] = [];
  const lines = Array.from({ length: chance.pick([0, 0, 0, 1, 3]) }, () => chance.pick(TITLES));
  lines.push(line(names));
  for (let i = 0; i < count; i++) {
    const decimals = style.decimals ?? chance.pick([0, 2]);
    const units = String(1 + chance.below(10 ** chance.pick([1, 3, 4, 5, 6, 7])));
    const isNegative = chance.hits(style.negative);
    const y = '2026';
    const m = String(month).padStart(2, '0');
    const d = String(1 + chance.below(28)).padStart(2, '0');
    const typed = style.sign(`${isNegative ? '-' : ''}${numberText(units, decimals, style)}`);
    const cells = [
      `u${i}`,
      'Lohn',
      typed,
      'PP-7',
      ...(hasDate ? [style.date(y, m, d)] : []),
      ...(style.hasCurrencyColumn ? [style.currency] : []),
    ];
    lines.push(line([...cells, ...others.map(([, make]) => make(chance))]));
    const isKnown = style.hasCurrencyColumn || typed !== typed.replace(/[€£]|EUR|CHF/, '');
    rows.push({
      user: `u${i}`,
      amount: plain(units, decimals, isNegative),
      currency: isKnown ? style.currency : '',
      date: hasDate ? `${y}-${m}-${d}` : '',
    });
  }
  const flags = [
    ...(chance.hits(0.1) ? ['--ignore-other-columns'] : []),
    ...(chance.hits(0.05) ? ['--type', 'payout'] : []),
  ];
  return { text: `${lines.join('\r\n')}\r\n`, rows, flags };
}
