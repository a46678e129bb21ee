// The types of the library, from the JSON Schemas in samples/schemas/: so both say the same of events and records. A
// project that uses them needs no other package: the types of zod's schemas would need zod.
import { format, resolveConfig } from 'prettier';

const HEAD = `/**
 * The records and events that programs give and get. Written by docs/reference/generate.js from samples/schemas:
 * \`npm run docs\`. Change a schema, not this file.
 */`;

/** The text of the module. @param schemas by name: payout, result, gig, event */
export async function typesModule({ payout, result, gig, event }, path) {
  const { issue, record, summary, total, counts } = event.$defs;
  const names = { '#/$defs/total': total.title, '#/$defs/counts': counts.title };
  const definitions = [
    ...[payout, result, gig].map((schema) => typeOf(schema, { isOpen: true })),
    ...[issue, record, summary, total, counts].map((schema) => typeOf(schema, { names })),
    '/** One object of the events of a call, as `--json` prints it on a line. */\nexport type Event = IssueEvent | RecordEvent | SummaryEvent;',
  ];
  return format([HEAD, ...definitions].join('\n\n'), { ...(await resolveConfig(path)), filepath: path });
}

function typeOf(schema, options) {
  return `${comment(schema)}export interface ${schema.title} ${objectText(schema, options)}`;
}

function comment({ description }) {
  return description === undefined ? '' : `/** ${description.replace(/([^.])$/, '$1.')} */\n`;
}

/** @param isOpen of a record, which a program fills in; events are only read */
function objectText({ properties, required = [] }, options) {
  const members = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    const type = `${valueText(schema, options)}${isRequired ? '' : ' | undefined'}`;
    return `${comment(schema)}${options.isOpen ? '' : 'readonly '}${name}${isRequired ? '' : '?'}: ${type};`;
  });
  return `{\n${members.join('\n')}\n}`;
}

function valueText(schema, options) {
  if (schema.$ref !== undefined) return options.names[schema.$ref];
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  return [schema.type]
    .flat()
    .map((type) => namedText(type, schema, options))
    .join(' | ');
}

function namedText(type, schema, options) {
  switch (type) {
    case 'integer':
      return 'number';
    case 'array':
      return `${options.isOpen ? '' : 'readonly '}(${valueText(schema.items, options)})[]`;
    case 'object':
      if (schema.properties !== undefined) return objectText(schema, options);
      return `Record<string, ${schema.additionalProperties?.enum?.join(' | ') ?? 'unknown'}>`;
    default:
      return type;
  }
}
