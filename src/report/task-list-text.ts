/** What a person is told of a task list. */
import { pluralize } from './table.js';
import type { TaskList } from './task-list.js';

export function taskListText({ path, tasks }: TaskList): string {
  return `Task list written: ${path}, ${tasks === 0 ? 'no tasks' : pluralize(tasks, 'task')}`;
}

/** Of a task list that is read as a list of prices. */
export function tasksWithoutIdText(path: string, tasks: number): string {
  return `${path}: ${pluralize(tasks, 'task has', 'tasks have')} no gig_task_id, so no result can name ${tasks === 1 ? 'it, and its price is' : 'them, and their prices are'} not read`;
}

/** What the list does not have, in a sentence each. @param hide hides secrets in parts of an answer */
export function taskListNotes(list: TaskList, hide: (text: string) => string): string[] {
  const { pruned, withoutId, settledTasks, settledGigs } = list;
  const notes: string[] = [];
  if (withoutId > settledTasks) notes.push(lackingIdsText(list, hide));
  if (settledTasks > 0) {
    const lacking = lackingText(settledTasks, settledGigs);
    const were = settledGigs === 1 ? 'this gig was' : 'these gigs were';
    notes.push(
      `${lacking}: ${were} recorded as created by hand or by an export, without an answer of the service. Look up the ids there`,
    );
  }
  if (pruned > 0)
    notes.push(
      `The task list has no tasks of ${pluralize(pruned, 'gig')}: batch prune has removed what was sent and answered`,
    );
  return notes;
}

/** The most lists of an answer that are named. */
const MOST_LISTS = 3;

function lackingText(tasks: number, gigs: number): string {
  return `${pluralize(tasks, 'task')} of ${pluralize(gigs, 'gig')} ${tasks === 1 ? 'has' : 'have'} no gig_task_id in the task list`;
}

function lackingIdsText(list: TaskList, hide: (text: string) => string): string {
  const { places, rules } = list;
  const quote = (path: string): string => JSON.stringify(hide(path));
  const where = `${quote(rules.tasks)} with ids at ${quote(rules.taskId)}`;
  const answered = lackingText(list.withoutId - list.settledTasks, list.gigsWithoutId - list.settledGigs);
  const lacking = `${answered}: the answer has no such task in ${where}`;
  if (places === null || places.lists.length === 0) return `${lacking}. It has no list of tasks anywhere`;
  const lists = places.lists.slice(0, MOST_LISTS).map(quote).join(', ');
  if (!places.isTitled)
    return `${lacking}. It has ${places.lists.length === 1 ? 'a list' : 'lists'} of objects at ${lists}, without the titles of the tasks`;
  const [first = ''] = places.lists;
  if (places.taskId === null) return `${lacking}. It has the tasks at ${lists}, without an id`;
  if (first === rules.tasks && places.taskId === rules.taskId)
    return `${lacking}. It has not all tasks that were sent, so which ids are theirs is not sure`;
  return `${lacking}. It has the tasks at ${lists}, with ids at ${quote(places.taskId)}: set response.tasks and response.task_id in the config file to these, and write the task list again with batch report`;
}
