/** Stop signals during a run: the first stops it in order, the second at once. */
import { SIGNAL_EXIT } from '../errors.js';
import type { World } from '../world.js';

/**
 * Until it listens, a signal ends the process by itself. Then it listens to the end of the process. Once the call has
 * reported its end, a first signal changes nothing any more, and a second signal still ends the process at once.
 */
export class Interruption {
  private readonly abort = new AbortController();
  private readonly world: World;
  private note: (text: string) => void = () => undefined;
  private isListening = false;
  private phase: 'preparing' | 'sending' | 'ended' = 'preparing';
  /** Exit code of the first signal, or null before it. */
  exitCode: number | null = null;

  constructor(world: World) {
    this.world = world;
  }

  /** May be called again. @param note shows people that the run is stopping */
  listen(note = this.note): AbortSignal {
    this.note = note;
    if (!this.isListening) this.world.onStopSignal((signal) => this.stop(SIGNAL_EXIT[signal]));
    this.isListening = true;
    return this.signal;
  }

  get signal(): AbortSignal {
    return this.abort.signal;
  }

  /** From now on requests may be under way. */
  sending(): void {
    this.phase = 'sending';
  }

  end(): void {
    this.phase = 'ended';
  }

  private stop(code: number): void {
    // The person does not want to wait. The journal has all open requests, so this is safe too.
    if (this.exitCode !== null) {
      this.note('stopped at once. The journal knows the open requests, so it is safe to run the same command again');
      this.world.exitNow(code);
    }
    this.exitCode = code;
    this.world.stdout.hurry();
    this.world.stderr.hurry();
    if (this.phase === 'ended') return;
    // An open question ends its line first.
    this.abort.abort();
    this.note(
      this.phase === 'sending'
        ? 'stopping: no new request is started, and those under way are finished first; once more stops at once'
        : 'stopping',
    );
  }
}
