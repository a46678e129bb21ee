import { expect, it } from 'vitest';
import { callerFrom, parseCommandLine } from '../../../src/follow-up/command-line.js';
import { createRedactor } from '../../../src/config/secrets.js';
import type { World } from '../../../src/world.js';
import { quietWorld } from '../../support/inside.js';
import { VALUED_FLAGS } from '../../support/valued-flags.js';

const WORLD: World = { ...quietWorld(), platform: 'linux', person: () => ({ user: 'clerk', host: 'desk' }) };

it.each([
  [['a b.csv'], [], "gigwork batch import 'a b.csv'"],
  [['--header', 'X-Pin: 77'], [], "gigwork batch import --header 'X-Pin: [hidden]'"],
  [['--header=X-Pin:77'], [], "gigwork batch import '--header=X-Pin: [hidden]'"],
  [['--header', 'no colon'], [], "gigwork batch import --header '[hidden]'"],
  [['--header'], [], 'gigwork batch import --header'],
  [['--set', 'title=s3cr3t-token'], [], "gigwork batch import --set 'title=[hidden]'"],
  [['--user-id', 'u1', '--report=u1.csv'], ['user_id'], "gigwork batch import --user-id '[hidden]' --report=u1.csv"],
  [['--user-id=u1', 'u1'], ['user_id'], "gigwork batch import '--user-id=[hidden]' u1"],
])('the journal keeps of the call %j, with the fields %j, no secret and no field', (argv, fields, commandLine) => {
  const line = parseCommandLine(['batch', 'import', ...argv], {
    program: '/opt/gigwork',
    command: 'batch import',
    files: [],
    valued: VALUED_FLAGS,
  });
  expect(callerFrom(line, createRedactor(['s3cr3t-token']), WORLD, fields)).toEqual({
    by: {
      user: 'clerk',
      host: 'desk',
    },
    commandLine,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
