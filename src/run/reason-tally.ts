/** Why records were refused, or are in doubt: counted by reason, with the first places of each, so that a person finds whom. */
import type { Status } from '../prepare/record-table.js';
import type { PreparedRecords } from '../prepare/prepared-records.js';
import { placeIn } from '../review/origins.js';
import { positionText } from '../records/issue.js';

/** The most different reasons that are kept: a service may name each record in its answer. */
const MOST_REASONS = 1000;
/** The most reasons that are shown, and the most places of each. */
const MOST_TOLD = 5;
const MOST_PLACES = 3;

interface Reason {
  readonly text: string;
  count: number;
  readonly first: number[];
}

export interface ReasonTally {
  readonly add: (status: Status, error: string, index: number) => void;
  /**
   * A sentence for each reason, the most frequent first: `3 refused: HTTP 422: no such user (line 2; line 5; line 7)`.
   * @param headOf `3 refused`, for a number of records
   */
  readonly sentences: (status: Status, headOf: (count: number) => string, all: number) => string[];
}

export function createReasonTally(prepared: PreparedRecords): ReasonTally {
  const byStatus = new Map<Status, Map<string, Reason>>();
  const placeOf = (index: number): string => placeText(prepared, index);
  const told = ({ text, count, first }: Reason): string => {
    const places = first.toSorted((a, b) => a - b).map(placeOf);
    const more = count > places.length ? ` and ${count - places.length} more` : '';
    return `${text} (${places.join('; ')}${more})`;
  };
  return {
    add: (status, error, index) => {
      const text = reasonOf(error);
      const reasons = byStatus.get(status) ?? new Map<string, Reason>();
      byStatus.set(status, reasons);
      const reason = reasons.get(text) ?? { text, count: 0, first: [] };
      if (reason.count === 0 && reasons.size >= MOST_REASONS) return;
      reasons.set(text, reason);
      reason.count++;
      if (reason.first.length < MOST_PLACES) reason.first.push(index);
    },
    sentences: (status, headOf, all) => {
      const sorted = [...(byStatus.get(status)?.values() ?? [])].sort((one, other) => other.count - one.count);
      const shown = sorted.slice(0, MOST_TOLD);
      const rest = all - shown.reduce((sum, { count }) => sum + count, 0);
      const more = rest <= 0 || shown.length === 0 ? [] : [`${headOf(rest)}, for other reasons`];
      return [...shown.map((reason) => `${headOf(reason.count)}: ${told(reason)}`), ...more];
    },
  };
}

/** `line 2`; with the file, if there are several. @param index place of the record in the input, from 0 */
export function placeText(prepared: PreparedRecords, index: number): string {
  const { file, ...place } = placeIn(prepared, index);
  return `${prepared.files.length > 1 ? `${file}, ` : ''}${positionText(place)}`;
}

/** Without its end, which the reasons say already. */
function reasonOf(error: string): string {
  return error.replace(/; this may have been (?:paid|created)$/, '');
}
