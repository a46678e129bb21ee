/** `--task-list`, and `--prices` that reads it. CONTRACT: "Files it writes". */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { csv } from '../support/builders.js';
import { workspace, type Workspace } from '../support/cli.js';
import { PROGRAMS, sharedServer, USER } from '../support/postgresql.js';
import { checkDocument } from '../support/schemas.js';
import { type Responder, type Service, startService } from '../support/service.js';
import { writtenRows } from '../support/written-sheet.js';

const GIG = {
  description: 'Count the shelves',
  url: 'https://example.com/gigs/1',
  start_at: '2026-12-05T08:00:00+01:00',
  end_at: '2026-12-05T16:00:00+01:00',
  invitation_mode: 'manual',
  filter_query: '{"city":"Berlin"}',
};
const BERLIN = { title: 'Berlin', ...GIG, 'tasks.0.title': 'Audit', 'tasks.0.base_price': '450' };
const HAMBURG = {
  title: '=Hamburg',
  ...GIG,
  'tasks.0.title': 'Audit',
  'tasks.0.base_price': '187.5',
  'tasks.1.title': 'Audit',
  'tasks.1.base_price': '1250',
};
const HEADER = 'gig_key,gig_id,gig_title,start_at,task,gig_task_id,base_price';

function result(task: string, quantity: string): Record<string, string> {
  return { gig_task_id: task, user_id: `u-${task}`, title: 'Work', quantity, cost_center_key: 'PP' };
}

/** The lines of a task list without their keys. */
function linesOf(space: Workspace, name: string): string[] {
  const [header, ...lines] = space.read(name).trimEnd().split('\r\n');
  expect(header).toBe(HEADER);
  return lines.map((line) => line.replace(/^[0-9a-f-]{36},/, ''));
}

function newSpace(atEnd: (cleanUp: () => Promise<void>) => void = onTestFinished): Workspace {
  const space = workspace(atEnd);
  space.file('gigs.csv', csv([BERLIN, { ...HAMBURG }]));
  return space;
}

const LINES = [
  'gig_000001,Berlin,2026-12-05T07:00:00Z,Audit,gig_task_000001_1,450',
  "gig_000002,'=Hamburg,2026-12-05T07:00:00Z,Audit,gig_task_000002_1,187.5",
  "gig_000002,'=Hamburg,2026-12-05T07:00:00Z,Audit,gig_task_000002_2,1250",
];

describe('the whole flow in the sandbox', () => {
  let space: Workspace;
  beforeAll(() => {
    space = newSpace(afterAll);
  });
  const sandbox = '--sandbox --concurrency 1';

  test('gigs get a task list, also those that were created before', async () => {
    const created = await space.process(`gig create gigs.csv ${sandbox} --task-list tasks.csv`);
    expect(created).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('Task list written: tasks.csv, 3 tasks'),
    });
    expect(linesOf(space, 'tasks.csv')).toEqual(LINES);
    const again = await space.process(`batch import gigs.csv ${sandbox} --task-list again.csv`);
    expect(again.code, again.stderr).toBe(0);
    expect(space.read('again.csv')).toBe(space.read('tasks.csv'));
  });

  test.each(['tasks.csv', 'tasks.xlsx'])('results are priced with %s, whatever their notation', async (tasks) => {
    await space.run(`gig create gigs.csv ${sandbox} --task-list tasks.xlsx`);
    // A date cell would show another hour than the file, and no time zone.
    const [, first] = await writtenRows(readFileSync(space.path('tasks.xlsx')));
    expect(first?.[3]).toBe('2026-12-05T07:00:00Z');
    space.file('results.csv', csv([result('gig_task_000002_1', '2'), result('gig_task_000002_2', '3')]));
    for (const flags of ['', '--decimal comma', '--decimal point']) {
      const planned = await space.process(`result create results.csv --prices ${tasks} --dry-run --json ${flags}`);
      expect(planned.code, planned.stderr).toBe(0);
      expect(planned.summary.totals.result).toMatchObject([{ amount: '4125', unpriced: 0 }]);
    }
  });

  test('batch report writes it later, of a run and of a batch', async () => {
    const report = await space.process('batch report --batch-id default --task-list later.csv --json');
    expect(report.code, report.stderr).toBe(0);
    checkDocument('batch-report', report.events[0]);
    expect(report.events[0]).toMatchObject({
      reports: [],
      task_list: { path: 'later.csv', tasks: 3, without_id: 0, notes: [] },
    });
    expect(space.read('later.csv')).toBe(space.read('tasks.csv'));
    const { runs } = (await space.run('batch list --json')).events[0] as { runs: { run: string }[] };
    const ofRun = await space.run(`batch report ${runs[0]?.run} --task-list run.csv --report run.html`);
    expect(ofRun.stdout).toContain('Task list written: run.csv, 3 tasks.');
    expect(linesOf(space, 'run.csv')).toEqual(LINES);
  });

  test('lines without an id are passed over, and counted', async () => {
    space.file('cut.csv', space.read('tasks.csv').replace('gig_task_000001_1', ''));
    space.file('one.csv', csv([result('gig_task_000002_2', '1')]));
    const { code, stderr } = await space.process('result create one.csv --prices cut.csv --dry-run');
    expect(code).toBe(0);
    expect(stderr).toContain('cut.csv: 1 task has no gig_task_id');
    const { summary } = await space.process('result create one.csv --prices cut.csv --dry-run --json --strict');
    expect(summary).toMatchObject({ exit_code: 0, warnings: 0, reasons: [expect.stringContaining('1 task has no')] });
  });

  test.each([
    ['a list of prices that is no task list', (list: string) => list.replace('task,gig_task_id', 'work,gig_task_id')],
    ['two prices for one task', (list: string) => list.replace('000002_1', '000001_1')],
  ])('%s is an error', async (_what, change) => {
    space.file('wrong.csv', change(space.read('tasks.csv')).replace('gig_task_000002_2', ''));
    space.file('one.csv', csv([result('gig_task_000001_1', '1')]));
    expect((await space.run('result create one.csv --prices wrong.csv --dry-run')).code).toBe(3);
  });
});

describe('a service that answers in its own way', () => {
  async function created(answer: (body: { tasks: object[] }) => object, config: object | null = null) {
    const respond: Responder = ({ json }) => ({
      status: 201,
      body: JSON.stringify({ id: 'g1', ...answer(json as { tasks: object[] }) }),
    });
    const service = await startService({ respond });
    onTestFinished(() => service.close());
    const space = newSpace();
    space.file('gig.csv', csv([HAMBURG]));
    if (config !== null) space.file('config/gigwork/config.json', JSON.stringify(config));
    const call = `gig create gig.csv --base-url ${service.url} --yes --task-list tasks.csv --json`;
    return { space, ...(await space.process(call)) };
  }
  const withIds = (tasks: object[]): object[] => tasks.map((task, i) => ({ ...task, task_no: `-t${i}` }));
  const PATHS = { response: { tasks: 'data.tasks', task_id: 'task_no' } };

  test('shows ids where the settings say, also such as a spreadsheet would run', async () => {
    const { space, code } = await created(({ tasks }) => ({ data: { tasks: withIds(tasks) } }), PATHS);
    expect(code).toBe(0);
    expect(linesOf(space, 'tasks.csv').map((line) => line.split(',')[4])).toEqual(["'-t0", "'-t1"]);
    space.file('one.csv', csv([result('-t1', '2')]));
    const { summary } = await space.run('result create one.csv --prices tasks.csv --dry-run --json');
    expect(summary.totals.result).toMatchObject([{ amount: '2500' }]);
  });

  test.each<[string, (body: { tasks: object[] }) => object, string]>([
    ['no tasks', () => ({}), 'It has no list of tasks anywhere'],
    [
      'tasks elsewhere',
      ({ tasks }) => ({ data: { tasks: tasks.map((task) => ({ ...task, uuid: 'x' })) } }),
      'It has the tasks at "data.tasks", with ids at "uuid": set response.tasks',
    ],
    ['tasks without ids', ({ tasks }) => ({ tasks }), 'It has the tasks at "tasks", without an id'],
    ['fewer tasks', () => ({ tasks: [{ id: 1, title: 'Audit' }] }), 'which ids are theirs is not sure'],
    ['other lists', () => ({ seats: [{ n: 1 }] }), 'It has a list of objects at "seats", without the titles'],
  ])('with %s: the call succeeds, and one line says where its tasks are', async (_what, answer, said) => {
    const { space, code, summary } = await created(answer);
    expect(code).toBe(0);
    expect(summary.reasons).toEqual([expect.stringContaining('2 tasks of 1 gig have no gig_task_id')]);
    expect(summary.reasons[0]).toContain(said);
    expect(linesOf(space, 'tasks.csv').map((line) => line.split(',')[4])).toEqual(['', '']);
  });
});

describe('the file', () => {
  test.each([
    ['tasks.ods', 'the name must end in .csv or .xlsx'],
    ['gigs.csv', 'this is an input file'],
    ['none/tasks.csv', 'the folder'],
  ])('%s is refused before anything is sent', async (name, said) => {
    const space = newSpace();
    const { code, stderr } = await space.process(`gig create gigs.csv --sandbox --task-list ${name}`);
    expect(code).toBe(2);
    expect(stderr).toContain(`--task-list ${name}: ${said}`);
    expect((await space.run('batch list --json')).output).not.toContain('gig create');
  });

  test('of a dry run has only gigs that exist', async () => {
    const space = newSpace();
    expect((await space.run('gig create gigs.csv --sandbox --dry-run --task-list tasks.csv')).code).toBe(0);
    expect(linesOf(space, 'tasks.csv')).toEqual([]);
  });

  test('is no flag of payouts and results', async () => {
    for (const type of ['payout', 'result'])
      expect((await newSpace().run(`${type} create gigs.csv --task-list tasks.csv --dry-run`)).code).toBe(2);
  });
});

describe.each(['sqlite', 'postgresql'] as const)('a run that is resumed, with %s', (store) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.close());

  test.skipIf(store === 'postgresql' && PROGRAMS === null)('lists the gigs of both calls', async () => {
    const space = newSpace();
    const url = store === 'sqlite' ? null : (await sharedServer()).url(USER);
    const journal = url === null ? '' : ` --journal ${url}?schema=task_list_${process.pid}`;
    let isOff = true;
    service.responder(({ json }) => {
      const { title, tasks } = json as { title: string; tasks: object[] };
      if (title !== 'Berlin' && isOff) return { status: 401, execute: false };
      return { status: 201, body: JSON.stringify({ id: title, tasks: tasks.map((task, i) => ({ ...task, id: i })) }) };
    });
    const first = await space.process(
      `gig create gigs.csv --base-url ${service.url} --yes --json --concurrency 1 --task-list tasks.csv${journal}`,
    );
    expect(first.code, first.stderr).toBe(6);
    expect(linesOf(space, 'tasks.csv')).toHaveLength(1);
    expect(first.summary.next).toContain(space.path('tasks.csv'));
    isOff = false;
    const resumed = await space.process(
      `batch resume ${first.summary.run} --yes --json --task-list tasks.csv${journal}`,
    );
    expect(resumed.code, resumed.stderr).toBe(0);
    expect(linesOf(space, 'tasks.csv')).toEqual([
      'Berlin,Berlin,2026-12-05T07:00:00Z,Audit,0,450',
      "'=Hamburg,'=Hamburg,2026-12-05T07:00:00Z,Audit,0,187.5",
      "'=Hamburg,'=Hamburg,2026-12-05T07:00:00Z,Audit,1,1250",
    ]);
    const report = await space.process(`batch report ${first.summary.run} --task-list later.csv${journal}`);
    expect(report.code, report.stderr).toBe(0);
    expect(space.read('later.csv')).toBe(space.read('tasks.csv'));
  });
});
