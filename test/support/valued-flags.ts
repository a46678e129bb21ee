/** The flags that take the next word, as the parser of a command knows them. */
import { SETTING_NAMES, settingOf } from '../../src/config/settings.js';
import { fieldFlag } from '../../src/follow-up/command-line.js';
import { RECORD_SCHEMAS } from '../../src/records/record-schemas.js';

export const VALUED_FLAGS: ReadonlySet<string> = new Set([
  ...SETTING_NAMES.map((name) => settingOf(name).flag ?? '')
    .filter((flag) => flag.includes(' <'))
    .map((flag) => flag.split(' ', 1)[0] ?? ''),
  ...Object.values(RECORD_SCHEMAS).flatMap(({ fields }) => fields.map(({ name }) => fieldFlag(name))),
]);
