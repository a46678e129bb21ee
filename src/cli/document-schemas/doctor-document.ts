/** JSON Schema of what `gigwork doctor --json` prints. Published as samples/schemas/doctor.json. */
import { EXIT } from '../../errors.js';
import type { JsonSchema } from '../../records/json-schema.js';
import { documentSchema, members } from './members.js';

const CHECK = members('Something that was looked at.', {
  name: {
    description: 'settings, state directory, journal, proxy, TLS, base URL, service; one name may have several checks',
    type: 'string',
    minLength: 1,
  },
  state: { description: 'only fail makes the exit code 2', enum: ['ok', 'warn', 'fail'] },
  message: { description: 'what was found, for people', type: 'string', minLength: 1 },
  remedy: {
    description: 'what to do about it; null where there is nothing to do, or where the message says it',
    type: ['string', 'null'],
  },
});

export function doctorDocumentSchema(): JsonSchema {
  return documentSchema(
    'doctor',
    'What doctor --json prints: whether a run could go on now.',
    {
      exit_code: { description: 'of this call', enum: [EXIT.ok, EXIT.usage] },
      checks: {
        description: 'in the order in which they were made; what an earlier failure makes impossible is left out',
        type: 'array',
        items: { $ref: '#/$defs/check' },
      },
    },
    { check: CHECK },
  );
}
