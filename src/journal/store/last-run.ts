/** The newest run that was like a call: of its profile, or of files with the same names. */
import type { TargetName } from '../payment.js';
import type { Driver, Value } from './driver.js';
import { targetOf } from './transactions.js';

/** A run that was like a call. */
export interface LikeRun {
  readonly name: string;
  readonly batchId: string;
  /** It has the call's profile; else it has a file of the same name. */
  readonly isOfProfile: boolean;
}

const OF_FILE = `SELECT max(f.run) FROM file f JOIN run ON run.number = f.run
  WHERE run.target = $1 AND run.passed AND (f.path = $2 OR f.path LIKE $3 ESCAPE '!' OR f.path LIKE $4 ESCAPE '!')`;
const OF_PROFILE = `SELECT max(run.number) FROM run JOIN event e ON e.id = run.begun
  WHERE run.target = $1 AND run.passed AND e.facts LIKE $2 ESCAPE '!'`;

/** The newest run of the target with this profile, or with a file of one of these names; null for none. */
export async function lastRunLike(
  { session }: Driver,
  target: TargetName,
  files: readonly string[],
  profile: string | null,
): Promise<LikeRun | null> {
  return session.read(async (tx) => {
    const { id = 0 } = (await targetOf(tx, target)) ?? {};
    const newest = async (text: string, ...values: Value[]): Promise<number> =>
      (await tx.rows<[number | null]>(text, id, ...values))[0]?.[0] ?? 0;
    const ofFiles: number[] = [];
    for (const name of files)
      ofFiles.push(await newest(OF_FILE, name, ...['/', '\\'].map((mark) => ending(mark + name))));
    const ofProfile =
      profile === null ? 0 : await newest(OF_PROFILE, `%${escaped(JSON.stringify(['--profile', profile]))}%`);
    const number = Math.max(ofProfile, ...ofFiles);
    const [row] = await tx.rows<[string, string]>('SELECT name, batch FROM run WHERE number = $1', number);
    return row === undefined ? null : { name: row[0], batchId: row[1], isOfProfile: number === ofProfile };
  });
}

function ending(text: string): string {
  return `%${escaped(text)}`;
}

/** As a part of a pattern of LIKE. */
function escaped(text: string): string {
  return text.replace(/[%_!]/g, '!$&');
}
