/** `gigwork sandbox`: the embedded service alone, until a signal ends it. */
import { EXIT, UsageError } from '../errors.js';
import { printable } from '../report/printable.js';
import { startSandbox } from '../sandbox/server.js';
import { loadSettings } from '../config/config-file.js';
import { faultOptions, sandboxFile } from '../config/target.js';
import { wholeNumber } from '../config/parsers.js';
import type { Invocation, FlagsWith } from './command.js';

/** Ends with a stop signal; returns the exit code. @throws UsageError for an unusable port or data file */
export async function runSandbox(call: Invocation<FlagsWith<'port'>>): Promise<number> {
  const { flags, world } = call;
  const port = flags.port === undefined ? 0 : wholeNumber('--port', flags.port, 0, 65_535);
  const settings = await loadSettings(flags, world);
  const file = sandboxFile(settings, world);
  const ended = new Promise<void>((resolve) => {
    world.onStopSignal(() => resolve());
  });
  const sandbox = await startSandbox({
    file,
    port,
    faults: faultOptions(settings),
    now: world.now,
    random: world.random,
  }).catch((cause: unknown) => {
    throw new UsageError((cause as Error).message, { cause });
  });
  if (flags.json === true) world.stdout.write(`${JSON.stringify({ url: sandbox.url })}\n`);
  else
    world.stdout.write(
      `The sandbox listens on ${sandbox.url} and keeps what it creates in ${printable(file)}. Ctrl-C ends it.\n`,
    );
  await ended;
  await sandbox.close();
  return EXIT.ok;
}
