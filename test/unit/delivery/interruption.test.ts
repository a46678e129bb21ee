import { expect, test } from 'vitest';
import { Interruption } from '../../../src/delivery/interruption.js';
import type { StopSignal } from '../../../src/errors.js';
import type { World } from '../../../src/world.js';

/** What a run that listens makes of signals. */
function listening() {
  let send = (_signal: StopSignal): void => {};
  const notes: string[] = [];
  const ended: number[] = [];
  const hurried: string[] = [];
  const world = {
    onStopSignal: (handler: typeof send) => {
      send = handler;
    },
    exitNow: (code: number) => ended.push(code),
    stdout: { hurry: () => hurried.push('stdout') },
    stderr: { hurry: () => hurried.push('stderr') },
  } as unknown as World;
  const interruption = new Interruption(world);
  interruption.listen((text) => notes.push(text));
  return { interruption, notes, ended, hurried, send: (signal: StopSignal) => send(signal) };
}

test('the first signal stops in order, and nobody waits long for a reader; the second at once', () => {
  const { interruption, notes, ended, hurried, send } = listening();
  expect(hurried).toEqual([]);
  send('SIGTERM');
  expect([interruption.exitCode, interruption.signal.aborted, notes.length, ended]).toEqual([143, true, 1, []]);
  expect(hurried).toEqual(['stdout', 'stderr']);
  send('SIGINT');
  expect(ended).toEqual([130]);
});

test('a signal that comes after the end stops nothing, and a second one ends at once', () => {
  const { interruption, notes, ended, hurried, send } = listening();
  interruption.end();
  send('SIGINT');
  expect([interruption.signal.aborted, notes, ended]).toEqual([false, [], []]);
  // What is still to be printed waits for no reader either.
  expect(hurried).toEqual(['stdout', 'stderr']);
  send('SIGINT');
  expect(ended).toEqual([130]);
});
