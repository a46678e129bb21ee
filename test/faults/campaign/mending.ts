/**
 * The end of a round: the rows that the service refused are corrected, and imported by calls that are killed. What was
 * rejected is never sent again then, by no run, resume or flag.
 */
import type { CliResult, Workspace } from '../../support/cli.js';
import { CRASH_ENTRY, hoursAhead } from '../../support/crash.js';
import { businessRow, type Service } from '../../support/service.js';
import { type Input, REFUSED } from './input.js';
import type { Kill } from './points.js';

export interface Mended {
  readonly hits: readonly Kill[];
  readonly problems: readonly string[];
}

export async function playMending(
  work: Workspace,
  service: Service,
  input: Input,
  kills: readonly Kill[],
): Promise<Mended> {
  const problems: string[] = [];
  const hits: Kill[] = [];
  const old = await settleRefused(work, input);
  const mended = work.read('rejects/payouts.csv').replaceAll(REFUSED, 'Right');
  work.file('mended.csv', mended);
  const args = ['payout', 'create', 'mended.csv', '--base-url', service.url, '--yes', '--json'];
  for (const kill of kills) {
    const env = { TEST_KILL_AT: `${kill.point}#${kill.nth}` };
    const { signal } = await work.start(args, { entry: CRASH_ENTRY, env }).result;
    if (signal === 'SIGKILL') hits.push(kill);
  }
  const { summary } = await work.run(args);
  const { created = 0, already_created: before = 0 } = (summary?.records ?? {}) as Record<string, number>;
  if (created + before !== input.wrong.length || summary?.exit_code !== 0)
    problems.push(`the corrected rows: exit ${summary?.exit_code}, ${JSON.stringify(summary?.records)}`);
  await checkClosed(work, service, input, old, problems);
  for (const row of input.wrong) {
    const right = businessRow('payout', { ...row, title: row.title.replace(REFUSED, 'Right') });
    const times = [service.executions.get(right) ?? 0, service.executions.get(businessRow('payout', row)) ?? 0];
    if (times.join() !== '1,0')
      problems.push(`corrected and refused row were carried out ${times.join(' and ')} times`);
  }
  return { hits, problems };
}

/** A refusal after a doubt settles nothing: a person does, and the record is refused once more. Gives the old run's call. */
async function settleRefused(work: Workspace, input: Input): Promise<CliResult> {
  const result = await work.run(input.args);
  const doubtful = result.events.filter(({ file, status }) => file === 'payouts.csv' && status === 'unknown');
  if (doubtful.length === 0) return result;
  const records = doubtful.map(({ record }) => String(record)).join(',');
  const words = ['--record', records, '--file', 'payouts.csv', '--not-created', '--note', 'asked the service'];
  await work.run(['batch', 'settle', result.summary.run, ...words], { env: hoursAhead(1) });
  return work.run(input.args);
}

/** The old input and the old run send nothing more, whatever is said. */
async function checkClosed(
  work: Workspace,
  service: Service,
  input: Input,
  { summary }: CliResult,
  problems: string[],
): Promise<void> {
  const before = service.requestCount;
  const resume = ['batch', 'resume', summary.run as string, '--yes', '--json', '--retry-rejected'];
  for (const words of [[...input.args, '--retry-rejected'], resume]) {
    const { summary: again } = await work.run(words);
    if (again?.records.skipped !== input.wrong.length)
      problems.push(`${words.slice(0, 2).join(' ')} after their correction: ${JSON.stringify(again?.records)}`);
  }
  if (service.requestCount !== before) problems.push('what was corrected was sent again');
}
