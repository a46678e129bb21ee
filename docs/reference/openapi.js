// The three operations of service-interface.md as OpenAPI 3.1, with the records' JSON Schemas as they are sent: for other
// clients. It claims nothing that the document does not show: no answers, no authentication, no other operation.

/** service-interface.md, "Endpoints". */
const OPERATIONS = {
  gig: { operationId: 'createGig', summary: 'Create a gig', body: 'Gig', failure: 'An error is returned.' },
  result: { operationId: 'createGigResult', summary: 'Create a gig result', body: 'GigResult', failure: null },
  payout: { operationId: 'createPayout', summary: 'Create a payout', body: 'Payout', failure: null },
};

const NOT_SHOWN = 'Status codes, and what answers contain, are not shown.';

/** To gigwork, it is the person's own key; to the service, any client's. */
const KEY = 'makes retries of the request safe against duplicate execution';

/** @param kinds the record types, and their JSON Schemas by type. @param version of gigwork */
export function openApi(kinds, schemas, version) {
  const operations = Object.entries(OPERATIONS).map(([type, { body, failure, ...operation }]) => {
    const answer = `The ${body} object on success.${failure === null ? '' : ` ${failure}`}`;
    const post = {
      ...operation,
      requestBody: {
        required: true,
        content: { 'application/json': { schema: { $ref: `#/components/schemas/${body}` } } },
      },
      responses: { default: { description: `${answer} ${NOT_SHOWN}` } },
    };
    return [kinds[type].path, { post }];
  });
  const bodies = Object.entries(OPERATIONS).map(([type, { body }]) => [body, sentSchema(kinds[type], schemas[type])]);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Gig work service: creating gigs, gig results and payouts',
      version,
      description:
        'Requests as gigwork sends them, and no more of the answers than the document of the service shows. The version is that of gigwork.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [
      {
        url: '{base_url}',
        description: 'The address of the service is not shown.',
        variables: { base_url: { default: 'https://gigs.example', description: 'The address that you were given.' } },
      },
    ],
    paths: Object.fromEntries(operations),
    components: { schemas: Object.fromEntries(bodies) },
  };
}

/** The body of a request: what gigwork alone reads is never sent, and an absent field is left out. */
function sentSchema(
  { keyed, price, fields },
  { $schema: _dialect, $id: _id, title: _title, description: _text, ...schema },
) {
  const unsent = [price?.name, keyed ? undefined : 'idempotency_key'];
  const { properties: all, required, ...rest } = withoutNull(schema);
  const properties = Object.fromEntries(Object.entries(all).filter(([name]) => !unsent.includes(name)));
  // A number in JSON is sent as a text, and the document lists this field as required although it has a default.
  if (properties.multiplier !== undefined) properties.multiplier = asText(properties.multiplier);
  for (const { name, kind } of fields) if (kind === 'timestamp') properties[name] = asNumber(properties[name]);
  if (properties.invitation_mode !== undefined) required.push('invitation_mode');
  const inhouse = properties.cost_center_data?.properties.inhouse;
  if (inhouse !== undefined) properties.cost_center_data.properties.inhouse = asChoice(inhouse, ['Yes', 'No']);
  if (properties.idempotency_key !== undefined) properties.idempotency_key.description = KEY;
  return { type: rest.type, properties, required, ...rest };
}

function asText({ minimum: _least, maximum: _most, ...schema }) {
  return { ...schema, type: 'string' };
}

/** Only gigwork reads a time as text. */
function asNumber({ pattern: _pattern, examples: [number], ...schema }) {
  return { ...schema, type: 'number', examples: [number] };
}

function asChoice({ pattern: _pattern, ...schema }, words) {
  return { ...schema, enum: words };
}

/** The same schema, but no value may be null. */
function withoutNull(schema) {
  if (Array.isArray(schema)) return schema.map(withoutNull);
  if (typeof schema !== 'object' || schema === null) return schema;
  const entries = Object.entries(schema).map(([name, value]) => {
    if (name === 'examples') return [name, value];
    const values = Array.isArray(value) && ['type', 'enum'].includes(name) ? value.filter(isSent) : null;
    if (values === null) return [name, withoutNull(value)];
    return [name, name === 'type' && values.length === 1 ? values[0] : values];
  });
  return Object.fromEntries(entries);
}

function isSent(value) {
  return value !== null && value !== 'null';
}
