/** The tasks of a created gig, with the ids that the service gave them. CONTRACT: `--task-list`. */
import { idPathIn, objectListsIn } from '../delivery/http/answer-paths.js';
import { valueAtPath } from '../delivery/http/attempt.js';
import { readAnswer, type StoredAnswer } from '../delivery/http/response.js';
import { decimalOf, formatDecimal } from '../money/decimal.js';
import type { ResponseRules } from '../options.js';
import { isObject } from '../records/types.js';

export interface GigTask {
  readonly title: string;
  /** Decimal text, in cents. */
  readonly basePrice: string;
  /** Null if the answer has none for it. */
  readonly id: string | null;
}

type SentTasks = readonly { readonly title: string; readonly base_price: number }[];

/**
 * The tasks that were sent, in their order. The service's document shows no answers, so an id belongs to a task only by
 * its title; among equal titles by place, if the answer has all of them.
 * @param body the gig as it was sent, as JSON text
 * @param response the answer that created it, as JSON text; null if it is not kept
 */
export function gigTasks(body: string, response: string | null, rules: ResponseRules): GigTask[] {
  const sent = sentTasks(body);
  const answered = response === null ? new Map<unknown, never[]>() : answeredIds(readAnswer(response), rules);
  const counts = countTitles(sent);
  const places = new Map<string, number>();
  return sent.map(({ title, base_price: price }) => {
    const place = places.get(title) ?? 0;
    places.set(title, place + 1);
    const ids = answered.get(title) ?? [];
    // With one more or one less, the place would show nothing, and a result would be counted at another task's price.
    const id = ids.length === counts.get(title) ? (ids[place] ?? null) : null;
    return { title, basePrice: formatDecimal(decimalOf(price)), id };
  });
}

function sentTasks(body: string): SentTasks {
  return (JSON.parse(body) as { readonly tasks?: SentTasks }).tasks ?? [];
}

function countTitles(tasks: SentTasks): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { title } of tasks) counts.set(title, (counts.get(title) ?? 0) + 1);
  return counts;
}

/** The ids in an answer, by the title of their task, in its order; null for a task without one. */
function answeredIds(
  { object, idAt }: StoredAnswer,
  { tasks: path, taskId }: ResponseRules,
): ReadonlyMap<unknown, readonly (string | null)[]> {
  const list = valueAtPath(object, path);
  const ids = new Map<unknown, (string | null)[]>();
  for (const [index, task] of (Array.isArray(list) ? list : []).entries()) {
    if (!isObject(task)) continue;
    const found = idAt(`${path}.${index}.${taskId}`);
    const id = found === null || found.trim() === '' ? null : found;
    const same = ids.get(task['title']);
    if (same === undefined) ids.set(task['title'], [id]);
    else same.push(id);
  }
  return ids;
}

/** Where an answer has tasks. */
export interface TaskPlaces {
  /** Dot paths of its lists of objects: of those with a task's title, if there are any. */
  readonly lists: readonly string[];
  readonly isTitled: boolean;
  /** Dot path of an id in the objects of the first list; null if they have none. */
  readonly taskId: string | null;
}

/** For an answer that has not the ids of all tasks where the settings expect them. */
export function taskPlacesIn(body: string, response: string): TaskPlaces {
  const sent = sentTasks(body);
  const titles = new Set<unknown>(sent.map(({ title }) => title));
  const lists = objectListsIn(readAnswer(response).object);
  const titled = lists.filter(({ objects }) => objects.some(({ title }) => titles.has(title)));
  const isTitled = titled.length > 0;
  const named = isTitled ? titled : lists;
  const [first] = named;
  const object = first?.objects.find(({ title }) => titles.has(title)) ?? first?.objects[0];
  return {
    lists: named.map(({ path }) => path),
    isTitled,
    taskId: object === undefined ? null : idPathIn(object, { ...sent[0] }),
  };
}
