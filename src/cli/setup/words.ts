/** What setup says: what it takes and why, and what the file does not prove. */
import type { ColumnFields } from '../../input/setup/column-fields.js';
import { type Conclusion, isSure } from '../../input/setup/conclusion.js';
import type { Survey } from '../../input/setup/survey.js';
import type { Ways } from '../../input/setup/ways.js';
import type { Kind } from '../../records/kind.js';
import { counted, shortened } from '../../report/table.js';
import { shellWord } from '../../util/shell-word.js';

/** Something that the file does not prove. */
export interface OpenPoint {
  /** One sentence without its full stop. */
  readonly text: string;
  /** Flags of which one decides it; none where no flag does. */
  readonly say: readonly string[];
}

const LONGEST_LIST = 12;

/** Names in one line; of very many, the first. */
export function nameList(names: readonly string[]): string {
  const shown = names.slice(0, LONGEST_LIST).map((name) => shortened(name, 40));
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

/** Everything that nobody has said and the file does not prove, in the order in which it is asked. */
export function openPoints(
  { header, type, fields }: Survey,
  ways: Ways | null,
  kind: Kind | null,
  platform: NodeJS.Platform,
): OpenPoint[] {
  // What a line that may be no header seems to say is of no use.
  if (!isSure(header)) return [pointOf('where the column names stand', header)];
  if (fields === null || kind === null) return [pointOf('what the records are', type)];
  // Where the type is only likely, the column that makes it so is asked about.
  return [...columnPoints(fields, kind, platform), ...(ways === null ? [] : wayPoints(ways, platform))];
}

function pointOf(what: string, { because, say }: Conclusion<unknown>): OpenPoint {
  return { text: `${what}: ${because}`, say };
}

function columnPoints(
  { suggestions, missing, others, twice }: ColumnFields,
  kind: Kind,
  platform: NodeJS.Platform,
): OpenPoint[] {
  const word = (text: string): string => shellWord(text, platform);
  const map = (name: string, path: string): string => `--map ${word(`${name}=${path}`)}`;
  const drop = (name: string): string => `--ignore-column ${word(name)}`;
  return [
    ...twice.map((name) => ({
      text: `which column is meant: several are named ${JSON.stringify(name)}; rename all but one in the file`,
      say: [],
    })),
    ...suggestions.map(({ path, names, isSure: isMeant }) => {
      const quoted = names.map((name) => JSON.stringify(name)).join(' or ');
      const isOne = names.length === 1 && !isMeant;
      const text = isOne ? `whether the column ${quoted} gives ${path}` : `which column gives ${path}: ${quoted}`;
      return { text, say: [...names.map((name) => map(name, path)), ...(isNeeded(path, kind) ? [] : names.map(drop))] };
    }),
    ...missing.map((path) => {
      const [field = ''] = path.split(' or ');
      const rest = others.length === 0 ? '' : `; columns that give nothing: ${nameList(others)}`;
      return {
        text: `what gives ${path}, which every ${kind.type} needs${rest}`,
        say: [`--map 'COLUMN=${field}'`, `--set ${field}=VALUE`],
      };
    }),
  ];
}

/** Without it there is no record, so that dropping the column is no answer. */
function isNeeded(path: string, { fields, rules }: Kind): boolean {
  const isPart = rules.some((rule) => rule.rule === 'one-of' && rule.fields.includes(path));
  return isPart || fields.some(({ name, required }) => name === path && required);
}

function wayPoints({ decimal, dateOrder, currency, negate, doubts }: Ways, platform: NodeJS.Platform): OpenPoint[] {
  const word = (text: string): string => shellWord(text, platform);
  return [
    ...(isSure(decimal) ? [] : [pointOf('how numbers are written', decimal)]),
    ...(isSure(dateOrder) ? [] : [pointOf('how dates are written', dateOrder)]),
    ...(isSure(currency) ? [] : [pointOf('the currency', currency)]),
    ...(isSure(negate) ? [] : [pointOf('whether amounts change their sign', negate)]),
    ...doubts.map(({ column, because, path }) => ({
      text: because,
      say: [...(path === null ? [] : [`--map ${word(`${column}=${path}`)}`]), `--ignore-column ${word(column)}`],
    })),
  ];
}

/** What was found, a line for each thing. @param file as the person wrote it */
export function foundLines({ header, names, fields }: Survey, ways: Ways, kind: Kind): string[] {
  if (fields === null) return [];
  const width = Math.max(...fields.columns.map(({ name }) => name.length), 0);
  const why = { said: 'as you said', exact: 'its own name', usual: 'a usual name' };
  return [
    `${counted(names.length, 'column')}${headerWords(header.value)}; each row makes a ${kind.type}`,
    ...fields.columns.map(({ name, path, why: reason }) => `  ${name.padEnd(width)}  ${path} (${why[reason]})`),
    ...(fields.others.length === 0 ? [] : [`dropped: ${nameList(fields.others)}`]),
    ...wayLine('numbers', ways.decimal, (mark) => `decimal ${mark}`),
    ...wayLine('dates', ways.dateOrder, (order) => ORDER_WORDS[order]),
    ...wayLine('currency', ways.currency, (code) => code),
    ...(ways.negate.value === true ? ['amounts change their sign'] : []),
  ];
}

function headerWords(line: number | null): string {
  if (line === null) return '';
  return line === 0 ? ', named by their position' : `, named on line ${line}`;
}

const ORDER_WORDS = { ymd: 'year first', dmy: 'day first', mdy: 'month first' };

function wayLine<T>(what: string, { value, because }: Conclusion<T>, words: (value: T) => string): string[] {
  if (value === null) return [];
  return [`${what}: ${words(value)}${because === '' ? ', as you said' : `: ${because}`}`];
}
