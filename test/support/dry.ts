import { type CliResult, workspace } from './cli.js';

type Events = CliResult['events'];

/** Runs files of payouts dry, all in one run, and gives its events. */
export async function dry(
  files: Readonly<Record<string, Uint8Array | string>>,
  ...flags: string[]
): Promise<CliResult> {
  const ws = workspace();
  for (const [name, content] of Object.entries(files)) ws.file(name, content);
  return ws.run(['payout', 'create', ...Object.keys(files), '--dry-run', '--json', ...flags]);
}

/** What would be sent of a file, in order. */
export function bodiesOf(events: Events, file: string): unknown[] {
  return events.filter((event) => event.event === 'record' && event.file === file).map(({ request }) => request);
}
