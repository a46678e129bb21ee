/** JSON Schema of what `gigwork config show --json` prints. Published as samples/schemas/config.json. */
import { PROXY_VARIABLES } from '../../config/proxy.js';
import { ORIGINS, SETTINGS } from '../../config/sources.js';
import type { JsonSchema } from '../../records/json-schema.js';
import { documentSchema, members } from './members.js';

/** Settings that are always shown. */
const NAMES = [
  ...Object.keys(SETTINGS),
  'color',
  ...PROXY_VARIABLES.map((name) => name.toLowerCase()),
  ...['response.require', 'response.id', 'response.empty'],
];

/** Tables: one entry each, `headers.x-team`. */
const TABLES = ['headers', 'map', 'set', 'ignore_columns'];

const ALWAYS = members('A setting with its value and where it came from.', {
  value: { description: 'null where nothing is set and there is no default; secrets are [hidden]' },
  from: { enum: [...ORIGINS] },
  source: {
    description: 'the flag, the variable, the name of the profile, or the path of the file; null for a default',
    type: ['string', 'null'],
  },
});

const SETTING: JsonSchema = {
  ...ALWAYS,
  properties: {
    ...(ALWAYS['properties'] as object),
    kept_in: {
      description: 'only of secrets that are kept elsewhere: environment variable NAME, or file PATH',
      type: 'string',
    },
  },
};

export function configDocumentSchema(): JsonSchema {
  const setting: JsonSchema = { $ref: '#/$defs/setting' };
  return documentSchema(
    'config',
    'What config show --json prints: every setting, its value and where it came from.',
    {
      config: { description: 'path of the config file; null where there is none', type: ['string', 'null'] },
      profile: { description: 'name of the profile; null without one', type: ['string', 'null'] },
      settings: {
        ...members(
          `Settings by name. Those of tables have a name for each entry: ${TABLES.map((name) => `${name}.NAME`).join(', ')}.`,
          Object.fromEntries(NAMES.map((name) => [name, setting])),
        ),
        additionalProperties: setting,
      },
    },
    { setting: SETTING },
  );
}
