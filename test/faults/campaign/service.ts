/** The service of a round: it answers by a list, and kills the client at moments that only a service sees. */
import { type Reply, type Service, startService } from '../../support/service.js';
import { REFUSED } from './input.js';

/** When the client is killed: its request has arrived, or was carried out, or was answered. */
export type KillMoment = 'arrived' | 'carried-out' | 'answered';

export interface RoundService {
  readonly service: Service;
  /** The next requests are answered so, in order of arrival, and all later ones as usual. */
  script(replies: readonly Reply[]): void;
  /** This process is killed at this moment of the `nth` request from now on. */
  kill(when: KillMoment, nth: number, pid: number): void;
  /** Nobody is killed any more. */
  spare(): void;
}

export async function startRoundService(): Promise<RoundService> {
  let replies: Reply[] = [];
  let due: { readonly when: KillMoment; readonly pid: number; left: number } | null = null;
  const killing = (when: KillMoment, pid: number): Reply => {
    if (when === 'arrived') {
      process.kill(pid, 'SIGKILL');
      return { fault: 'hang' };
    }
    // The reply is carried out in this turn of the event loop, so the kill comes after it.
    setImmediate(() => process.kill(pid, 'SIGKILL'));
    return when === 'carried-out' ? { fault: 'hang', execute: true } : { default: true };
  };
  const service = await startService({
    refuses: REFUSED,
    respond: () => {
      if (due === null || --due.left > 0) return replies.shift();
      const { when, pid } = due;
      due = null;
      return killing(when, pid);
    },
  });
  return {
    service,
    script: (next) => (replies = [...next]),
    kill: (when, nth, pid) => (due = { when, pid, left: nth }),
    spare: () => (due = null),
  };
}
