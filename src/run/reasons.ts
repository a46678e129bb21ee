/** Why records were rejected, are in doubt or were not sent again, for people at the end. */
import type { Status } from '../batch/entries.js';
import type { Looked } from '../preflight/look.js';
import { countText } from '../report/table.js';

/** Different texts that are counted for each state; a service may put something new into every answer. */
const MOST_TEXTS = 100;

const STATES = [
  ['rejected', 'rejected'],
  ['unknown', 'not confirmed (may have been paid)'],
] as const satisfies readonly (readonly [status: Status, words: string])[];

/** The most frequent reason of each state. */
export class Reasons {
  private readonly texts = new Map<Status, Map<string, number>>();

  add(status: Status, error: string | null): void {
    if (error === null || !STATES.some(([counted]) => counted === status)) return;
    let texts = this.texts.get(status);
    if (texts === undefined) this.texts.set(status, (texts = new Map<string, number>()));
    if (texts.has(error) || texts.size < MOST_TEXTS) texts.set(error, (texts.get(error) ?? 0) + 1);
  }

  /** `3 rejected: HTTP 422: no such user`; one line for each state that has reasons. @param records how many are in each state */
  words(records: Readonly<Record<'rejected' | 'unknown', number>>): string[] {
    return STATES.flatMap(([status, words]) => {
      const [first] = [...(this.texts.get(status) ?? [])].sort(([, one], [, other]) => other - one);
      if (first === undefined) return [];
      const [text, count] = first;
      const all = records[status];
      return [`${count === all ? '' : `${countText(count)} of `}${countText(all)} ${words}: ${text}`];
    });
  }
}

/** What the call could not send from the journal. */
export function prunedReasons({ assessment }: Looked): string[] {
  const fates = [...assessment.special.values()];
  const rejected = fates.filter((fate) => fate.what === 'settled' && fate.isPruned === true).length;
  const leftOut = fates.filter((fate) => fate.what === 'left-out' && fate.isPruned === true).length;
  const again = 'Run the first command again, with its files and --retry-rejected';
  return [
    ...(rejected === 0 ? [] : [`${prunedWords(rejected, 'rejected')}. ${again}`]),
    ...(leftOut === 0 ? [] : [`${prunedWords(leftOut, 'left-out')}. To pay what was left out, import the file again`]),
  ];
}

function prunedWords(count: number, state: string): string {
  const [records, contents] = count === 1 ? ['record', 'its content'] : ['records', 'their contents'];
  return `The journal cannot send ${count} ${state} ${records} again, because batch prune removed ${contents}`;
}
