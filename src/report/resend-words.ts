/** What it means to send records once more: true for each case, and loud only where there is a risk. */
import { counted } from './table.js';

export interface Again {
  /** In doubt, and their keys still protect them. */
  readonly protected: number;
  /** In doubt, and their keys are older than the service is trusted to remember them. */
  readonly expired: number;
  /** In doubt, and sent without a key. */
  readonly gigs: number;
  readonly rejected: number;
}

/** @param isPlanned in a dry run they would be */
export function resendWords({ protected: safe, expired, gigs, rejected }: Again, isPlanned: boolean): string[] {
  const going = (n: number): string => (isPlanned ? 'would be sent' : n === 1 ? 'is sent' : 'are sent');
  const say = (n: number, words: string): string[] => (n === 0 ? [] : [words]);
  const records = (n: number): string => counted(n, 'record', 'records');
  return [
    ...say(
      safe,
      `${records(safe)} may have gone through. ${safe === 1 ? 'It' : 'They'} ${going(safe)} again with the same ${safe === 1 ? 'key' : 'keys'}, so nobody is paid twice.`,
    ),
    ...say(
      expired,
      `Careful: ${records(expired)} may have gone through, and the service may have forgotten the ${expired === 1 ? 'key' : 'keys'}. Sending ${expired === 1 ? 'it' : 'them'} again may pay twice.`,
    ),
    ...say(
      gigs,
      `Careful: ${counted(gigs, 'gig', 'gigs')} may have been created, and gigs have no key. Sending ${gigs === 1 ? 'it' : 'them'} again may create ${gigs === 1 ? 'it' : 'them'} twice.`,
    ),
    ...say(
      rejected,
      `${records(rejected)} ${rejected === 1 ? 'was' : 'were'} rejected before, and ${going(rejected)} again.`,
    ),
  ];
}
