/** The text by which a person recognises a record. */

/**
 * The user of a payout or a result, else the title; empty where there is no body.
 * @param body JSON as it is sent
 */
export function subjectOf(body: string | null): string {
  if (body === null) return '';
  const { user_id: user, title } = JSON.parse(body) as { user_id?: string; title?: string };
  return user ?? title ?? '';
}
