/** Set up before each test file: the suite leaves nothing to chance. Chance is for `npm run fuzz` and `npm run campaign`. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 2026 });
