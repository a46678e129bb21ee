import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/errors.js';
import { hashFile, openSource, sizeOf } from '../../../src/input/source.js';
import { FileFault } from '../../../src/input/raw-record.js';
import { payouts, csv, ndjson } from '../../support/builders.js';
import { folder, pieces, read, readFile, readOptions } from './reading.js';

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

describe('a file', () => {
  it.each<[string, (rows: ReturnType<typeof payouts>) => string]>([
    ['payouts.csv', (rows) => csv(rows)],
    ['payouts.ndjson', (rows) => ndjson(rows)],
    ['payouts.json', (rows) => JSON.stringify(rows, null, 2)],
    ['payouts.txt', (rows) => csv(rows, { delimiter: ';' })],
    ['payouts', (rows) => JSON.stringify(rows)],
  ])('named %s is read to its end, over many chunks', async (name, write) => {
    const rows = payouts(5_000);
    const content = write(rows);
    const dir = folder();
    writeFileSync(join(dir, name), content);
    const { inputs, found, facts, fault } = await readFile(name, readOptions({ cwd: dir }));
    expect(fault).toBeNull();
    expect(found).toEqual([]);
    expect(inputs).toEqual(rows);
    expect(facts).toMatchObject({ path: name, records: 5_000, sha256: sha256(content) });
  });

  it('that is not there, and a folder, are usage errors that name it', async () => {
    const dir = folder();
    mkdirSync(join(dir, 'in.csv'));
    await expect(readFile('no.csv', readOptions({ cwd: dir }))).rejects.toThrow(
      new UsageError('cannot read no.csv: there is no such file'),
    );
    await expect(readFile('in.csv', readOptions({ cwd: dir }))).rejects.toThrow(/^in\.csv is a folder/);
    await expect(sizeOf('no.csv', dir)).rejects.toThrow(UsageError);
    await expect(sizeOf('in.csv', dir)).rejects.toThrow(/folder/);
    await expect(hashFile('no.csv', dir)).rejects.toThrow(UsageError);
  });

  it('has a size and a hash; standard input has no size', async () => {
    const dir = folder();
    const bytes = Buffer.alloc(600_000, 'gigwork\n');
    writeFileSync(join(dir, 'a'), bytes);
    expect(await sizeOf('a', dir)).toBe(600_000);
    expect(await hashFile('a', dir)).toBe(sha256(bytes));
    expect(await sizeOf('-', dir)).toBeNull();
  });

  it('that changes while it is read is refused', async () => {
    const dir = folder();
    writeFileSync(join(dir, 'a.csv'), 'x'.repeat(600_000));
    const source = openSource('a.csv', readOptions({ cwd: dir }));
    const drain = async (): Promise<void> => {
      for await (const chunk of source.chunks()) writeFileSync(join(dir, 'a.csv'), 'y'.repeat(600_000 + chunk.length));
    };
    await expect(drain()).rejects.toThrow(FileFault);
  });
});

describe('standard input', () => {
  it('is hashed as its bytes came', async () => {
    const bytes = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('amount\n1\n', 'utf16le')]);
    const { facts, inputs } = await readFile('-', readOptions({ stdin: pieces(bytes, 3) }));
    expect(inputs).toEqual([{ amount: 1 }]);
    expect(facts).toMatchObject({ path: '-', sha256: sha256(bytes) });
  });
});

describe('what the person is told', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['a mark', '\ufeffamount;title\n1;a\n', 'csv, utf-8 with a byte order mark, semicolon'],
    [
      'Windows-1252',
      Buffer.from('amount\ttitle\n1\t\xfc\n', 'latin1'),
      'csv, windows-1252, tab. Please check that "ü" is displayed correctly; if not, save the file as CSV UTF-8, or name --encoding',
    ],
    [
      'UTF-16',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('amount|title\n', 'utf16le').swap16()]),
      'csv, utf-16be with a byte order mark, pipe',
    ],
    ['a sep= line', 'sep=;\namount;title\n', 'csv, utf-8, semicolon, header on line 2'],
    [
      'letters that other tables read otherwise',
      Buffer.from('title\nM\xfcller\nJ\xe4ger\nDvo\xf8\xe1k\nTom\xe1\xf8\n\xdeahin\n', 'latin1'),
      'csv, windows-1252, comma. Please check that "Dvoøák", "Þahin", "Müller" are displayed correctly; if not, save the file as CSV UTF-8, or name --encoding',
    ],
    [
      'letters far apart',
      Buffer.from(
        `title\nM\xfcller\n${`${'1'.repeat(59)}\n`.repeat(3000)}M\xfcnch\nH\xf6fer\nJ\xe4ger\nSp\xe4\xdf\n`,
        'latin1',
      ),
      'csv, windows-1252, comma. Please check that "Müller", "Höfer", "Jäger" are displayed correctly; if not, save the file as CSV UTF-8, or name --encoding',
    ],
  ])('of %s', async (_name, content, detected) => {
    expect((await read(content)).detected).toBe(detected);
  });
});

describe('what the records are', () => {
  it.each([
    ['CSV', 'Betrag,note,,title\n1,x,,y\n'],
    ['NDJSON', '{"Betrag":1,"note":2,"title":"y"}\n{"start_at":1}\n'],
    ['JSON', '[5,{"Betrag":1,"title":"y"}]'],
  ])('is told by the fields of %s, after --map and --set', async (_name, content) => {
    const change = { type: null, ignore: ['note'], assignments: [{ path: 'currency', text: 'EUR' }] };
    expect((await read(content, { ...change, map: { Betrag: 'amount' } })).facts.type).toBe('payout');
    const unclear = read(content, { ...change, map: { Betrag: 'description' } });
    await expect(unclear).rejects.toThrow('found "description", "title", "currency". ');
  });

  it('is not asked where there are no records', async () => {
    for (const content of ['', '[]', '\n\n']) {
      const { records, facts } = await read(content, { type: null });
      expect([records, facts.type]).toEqual([[], null]);
    }
  });
});
