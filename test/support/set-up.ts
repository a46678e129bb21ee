import { existsSync } from 'node:fs';
import { type CliResult, CONFIG, workspace } from './cli.js';

/** What `setup --yes` makes of a file, and what is read of it under the profile. */
export interface SetUp {
  readonly result: CliResult;
  /** The profile, as the config file has it; null where none was written. */
  readonly profile: unknown;
  /** What a dry run with the profile would send: `user amount currency date`, in order; null where nothing was written. */
  readonly read: readonly string[] | null;
}

/** Sets a file up, without a person, and runs it dry with the profile. */
export async function setUp(
  content: Uint8Array | string,
  flags: readonly string[] = [],
  { name = 'file.csv', type = 'payout' } = {},
): Promise<SetUp> {
  const ws = workspace();
  ws.file(name, content);
  const result = await ws.run(['setup', name, '--yes', '--profile', 'month', ...flags]);
  if (!existsSync(ws.path(CONFIG))) return { result, profile: null, read: null };
  const { profiles } = JSON.parse(ws.read(CONFIG)) as { profiles: { month: unknown } };
  // What is read is asked here, not what would be sent.
  const dry = await ws.run([type, 'create', name, '--profile', 'month', '--dry-run', '--json', '--allow-negative']);
  const requests = dry.events.filter(({ event, request }) => event === 'record' && request !== null);
  const read = requests.map(({ request }: { request: Record<string, unknown> }) =>
    [request['user_id'], request['amount'] ?? request['quantity'], request['currency'], request['billing_date']]
      .join(' ')
      .trimEnd(),
  );
  return { result, profile: profiles.month, read };
}
