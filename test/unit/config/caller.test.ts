import { expect, it } from 'vitest';
import { callerFrom } from '../../../src/config/follow-up.js';
import { createRedactor } from '../../../src/config/secrets.js';
import type { World } from '../../../src/world.js';
import { quietWorld } from '../../support/inside.js';

const WORLD: World = { ...quietWorld(), platform: 'linux', person: () => ({ user: 'clerk', host: 'desk' }) };

it.each([
  [['batch', 'import', 'a b.csv'], [], "gigwork batch import 'a b.csv'"],
  [['--header', 'X-Pin: 77'], [], "gigwork --header 'X-Pin: [hidden]'"],
  [['--header=X-Pin:77'], [], "gigwork '--header=X-Pin: [hidden]'"],
  [['--header', 'no colon'], [], "gigwork --header '[hidden]'"],
  [['--header'], [], 'gigwork --header'],
  [['--set', 'title=s3cr3t-token'], [], "gigwork --set 'title=[hidden]'"],
  [['--user-id', 'u1', '--report=u1.csv'], ['user_id'], "gigwork --user-id '[hidden]' --report=u1.csv"],
  [['--user-id=u1', 'u1'], ['user_id'], "gigwork '--user-id=[hidden]' u1"],
])('the journal keeps of the call %j, with the fields %j, no secret and no field', (argv, fields, commandLine) => {
  expect(callerFrom(argv, createRedactor(['s3cr3t-token']), WORLD, fields)).toEqual({
    by: {
      user: 'clerk',
      host: 'desk',
    },
    commandLine,
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
  });
});
