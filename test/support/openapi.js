/** What is wrong with a document of OpenAPI, and which version it is of. */
export async function openApiFaults(document) {
  const { Validator } = await import('@seriousme/openapi-schema-validator');
  const validator = new Validator();
  const { errors = [] } = await validator.validate(document);
  return { version: validator.version, faults: [errors].flat() };
}
