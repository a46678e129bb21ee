// Opens new journals in folders of a base, each at a moment that another process does the same.
// Arguments: base folder, how many, the first moment in milliseconds since 1970. Ends with 1 when one could not be opened.
import { join } from 'node:path';
import { openForWriting } from '../../../dist/journal/db.js';

const [base, count, begin] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  while (Date.now() < Number(begin) + i * 30);
  openForWriting(join(base, String(i))).close();
}
