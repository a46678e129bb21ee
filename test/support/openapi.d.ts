/** What is wrong with a document of OpenAPI, and which version it is of. It is not changed. */
export function openApiFaults(
  document: object,
): Promise<{ readonly version: string; readonly faults: readonly unknown[] }>;
