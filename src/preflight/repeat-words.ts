/** What is said of records that the history knows already. */
import type { HistoryMatch } from '../journal/history.js';
import { moneyWords, parseDecimal } from '../money/decimal.js';
import { error, type Finding, type IssueCode, placeWords } from '../records/issue.js';
import { withUnit } from '../records/kinds.js';
import type { Repeat, RepeatCode } from './repeats.js';

/** A key that was used for other content. @param match the record that has it */
export function keyConflict(key: string, match: HistoryMatch): Finding {
  const fate = match.state === 'created' ? 'was created' : 'may have been created';
  const message = `the key ${key} ${fate} with other content (${placeText(match)}); for another record give another idempotency_key, else restore the record as it was sent`;
  return error('key-conflict', 'idempotency_key', message, key);
}

const WORDS: Readonly<Record<RepeatCode, string>> = {
  'created-before': 'this record was created before',
  'same-content': 'a record of the same content was sent before under another key',
  'similar-record': 'a similar record (same user, title, reference and date, but other content) was sent before',
};

/** A repeat in words. @param open it is not decided yet, and refuses the run */
export function repeatFinding(
  repeat: Omit<Repeat, 'rejected'> & { rejected?: HistoryMatch | null },
  open: boolean,
): Finding {
  const { code, match, counts, inDoubt, rejected = null } = repeat;
  const doubt = match.state === 'created' ? '' : '; its outcome is unknown';
  const place = counts ? '' : ', in another batch';
  const own = inDoubt ? '; the outcome of this one is unknown itself' : '';
  // Sending a record again does not change what the service has: a person who corrects an amount would pay both.
  const beside = code === 'similar-record' && counts ? '; sent as well, this one is in addition to it' : '';
  const twin =
    rejected === null
      ? ''
      : `; one of the same content was rejected (${placeText(rejected)}): if it is that one, send it`;
  const message = `${WORDS[code]} (${placeText(match)}${moneyText(match)}${doubt})${place}${own}${beside}${twin}`;
  return { severity: open ? 'error' : 'warning', code: code satisfies IssueCode, field: null, message, value: null };
}

/** Where an earlier record stands, for messages. */
function placeText(match: HistoryMatch): string {
  return `${runText(match)}, ${match.file}, ${placeWords(match)}`;
}

/** Its amount, where that is known. */
function moneyText({ amount, currency, type }: HistoryMatch): string {
  return amount === null ? '' : `, ${withUnit(moneyWords(parseDecimal(amount), currency), type)}`;
}

/** Its run and day. */
export function runText({ run, at }: HistoryMatch): string {
  return `run ${run} of ${new Date(at).toISOString().slice(0, 10)}`;
}
