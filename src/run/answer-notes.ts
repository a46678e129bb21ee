/** What a person should know of the answers that confirmed, in a sentence each. */
import type { PreparedRecords } from '../prepare/prepared-records.js';
import type { ConfirmedAnswers } from '../delivery/confirmed-answers.js';
import { pluralize } from '../report/table.js';
import { placeText } from './reason-tally.js';

export function answerNotes(
  confirmed: ConfirmedAnswers,
  prepared: PreparedRecords,
  hide: (text: string) => string,
): string[] {
  const other = confirmed.otherMoney();
  const lacking = confirmed.lackingId();
  const notes: string[] = [];
  if (other !== null)
    notes.push(
      `The service confirmed ${pluralize(other.count, 'record')} with another amount or currency than was sent. First, ` +
        `${placeText(prepared, other.index)}: sent ${other.sent}, answered ${shown(other.answered, hide)}. Check it in the service`,
    );
  if (lacking !== null)
    notes.push(
      `No answer that confirmed (${lacking.count}) has an id at ${JSON.stringify(lacking.expected)}, so reports show none` +
        (lacking.found === null
          ? ''
          : `. The answers have one at ${JSON.stringify(hide(lacking.found))}: set response.id in the config file to that`),
    );
  return notes;
}

/** The most characters of an answer that are shown: a service may send any text as an amount. */
const LONGEST_TOLD_ANSWER = 60;

/** Hidden first: half a secret would not be recognised. */
function shown(text: string, hide: (text: string) => string): string {
  const hidden = hide(text);
  return hidden.length > LONGEST_TOLD_ANSWER ? `${hidden.slice(0, LONGEST_TOLD_ANSWER)}…` : hidden;
}
