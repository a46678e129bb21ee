// @ts-check
// The program, which writes its peak memory in bytes to the file TEST_PEAK_TO when it ends.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  writeFileSync(process.env['TEST_PEAK_TO'] ?? '', String(process.resourceUsage().maxRSS * 1024));
});
await import('../../bin/gigwork.js');
