/** The files that calls wrote: few rows, one or two for each file. */
import { createHash } from 'node:crypto';
import type { WrittenFile } from '../written-file.js';
import { WITH_WRITTEN_FILES } from './common-schema.js';
import type { Driver } from './driver.js';
import { rowMapper, select } from './row-mapper.js';

const WRITTEN_FILE = rowMapper((of): WrittenFile => {
  const run = { number: of<number | null>('w.run'), name: of<string>('run.name') };
  return {
    path: of('w.path'),
    sha256: of('w.sha256'),
    run: run.number === null ? null : { number: run.number, name: run.name },
    inputs: of('w.inputs', (text: string) => JSON.parse(text) as string[]),
  };
});

const FROM = 'FROM written_file w LEFT JOIN run ON run.number = w.run WHERE w.path = ANY ($1)';

/** {@link Journal.writtenFiles} */
export async function selectWrittenFiles(driver: Driver, paths: readonly string[]): Promise<WrittenFile[]> {
  if (driver.version < WITH_WRITTEN_FILES) return [];
  return driver.session.read((tx) => select(tx, WRITTEN_FILE, FROM, paths));
}

/** {@link Journal.addWrittenFile} */
export async function insertWrittenFile(driver: Driver, file: WrittenFile, replaced: string | null): Promise<void> {
  const { path, sha256 } = file;
  const run = file.run?.number ?? null;
  const host = driver.caller?.by.host ?? '';
  const inputs = file.inputs === null ? null : JSON.stringify(file.inputs);
  await driver.session.write(async (tx) => {
    // A crash may leave the replaced file in its place. Of a shared journal, another machine has files of its own.
    await tx.change(
      'DELETE FROM written_file WHERE path = $1 AND host = $2 AND (sha256 <> $3 OR sha256 = $4)',
      path,
      host,
      replaced ?? '',
      sha256,
    );
    await tx.change(
      `INSERT INTO written_file (id, path, host, sha256, run, inputs) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT DO NOTHING`,
      rowId(path, host, sha256, run, inputs),
      path,
      host,
      sha256,
      run,
      inputs,
    );
  });
}

/** A number that every database and JavaScript hold exactly. */
const ID_BYTES = 6;

/** Two processes that write the same file at the same moment store one row. */
function rowId(...cells: readonly (string | number | null)[]): number {
  return createHash('sha256').update(JSON.stringify(cells)).digest().readUIntBE(0, ID_BYTES);
}
