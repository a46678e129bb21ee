/** What the schemas of documents have in common. */
import { DIALECT, type JsonSchema } from '../../records/json-schema.js';

/** An object with these members, all of them always there. Later versions may add members. */
export function members(description: string, properties: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return { description, type: 'object', properties, required: Object.keys(properties) };
}

/** The schema of what a command prints with `--json`. @param name as `gigwork schema` takes it */
export function documentSchema(
  name: string,
  description: string,
  properties: Readonly<Record<string, JsonSchema>>,
  $defs: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  return {
    $schema: DIALECT,
    $id: `urn:gigwork:schema:${name}`,
    title: name,
    ...members(description, properties),
    $defs,
  };
}
