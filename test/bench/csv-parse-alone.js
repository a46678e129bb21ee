/** What a dry run is held against: csv-parse alone, reading the same file in array mode. */
import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';

let rows = 0;
for await (const row of createReadStream(process.argv[2]).pipe(parse())) rows += row.length > 0 ? 1 : 0;
process.stdout.write(`${rows}\n`);
