import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { csv, gigs, ndjson, payouts } from '../support/builders.js';
import { type CliResult, type Workspace, workspace } from '../support/cli.js';
import { NO_WAITS, send, startSending } from '../support/crash.js';
import { testService } from '../support/fixtures.js';
import { dribble, eachRequest, pour, rawServer, whole } from '../support/raw-server.js';
import type { Service } from '../support/service.js';
import { post } from '../unit/support/wire.js';

// Servers that say what no service says. Whatever comes, the run ends, each record is in a state that cannot pay twice,
// the message is one that a person can use, and a healthy service finishes the job.

const PEAK_ENTRY = fileURLToPath(new URL('peak-entry.js', import.meta.url));
const MEGABYTE = 1024 * 1024;
const CREATED = whole('201 Created', '{"id":"x"}');
const DEEP = 100_000;

interface Hostile {
  readonly name: string;
  /** So much at once that it would hold up the answers to other records. */
  readonly floods?: boolean;
  /** Called for each request, unless `connected` is there. */
  readonly answer?: (socket: Socket) => void;
  readonly connected?: (socket: Socket) => void;
  readonly ends: 'created' | 'rejected' | 'unknown' | 'not_sent';
  readonly stop?: string;
  /** What the record's error says. */
  readonly says?: RegExp;
}

const ENDLESS = 'HTTP/1.1 201 Created\r\n';
const CHUNKED = `${ENDLESS}transfer-encoding: chunked\r\n\r\n`;
const WRONG = { stop: 'wrong_target' };
const TOO_LONG = { says: /longer than is read/ };
const LATE = { says: /no whole answer within 0\.5 s/ };
const FLOOD = { floods: true, says: /header/i };
const NO_HTTP = { says: /does not match the HTTP\/1\.1 protocol|not HTTP/i };

type Serve = (socket: Socket) => void;
const writes =
  (bytes: string | Buffer): Serve =>
  (socket) =>
    void socket.write(bytes);
const closes =
  (bytes: string | Buffer): Serve =>
  (socket) =>
    void socket.end(bytes);
const pours =
  (start: string, piece: string): Serve =>
  (socket) =>
    pour(socket, start, piece);
const dribbles =
  (start: string, piece: string): Serve =>
  (socket) =>
    dribble(socket, start, piece);

const created = (body: string | Buffer, headers = ''): Serve => writes(whole('201 Created', body, headers));
const refused = (body: string | Buffer, headers = ''): Serve => writes(whole('422 No', body, headers));
const deep = (count: number, left = '[', right = ']', core = ''): string =>
  `${left.repeat(count)}${core}${right.repeat(count)}`;
const interim = (count: number): string =>
  'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(count);
const OK = '{"id":"x"}';
const NO_UTF8 = Buffer.concat([Buffer.from('{"id":"'), Buffer.of(255, 254, 0xc3), Buffer.from('"}')]);
const GZIP = 'content-encoding: gzip\r\n';
const CUT_OFF = /^the compressed answer is cut off or damaged/;
const COMPRESSED: readonly (readonly [encoding: string, bytes: Buffer])[] = [
  ['gzip', gzipSync(OK)],
  ['deflate', deflateSync(OK)],
  ['deflate', deflateRawSync(OK)],
  ['br', brotliCompressSync(OK)],
];
const CONTROLS = '{"error":"\\u001b[2J\\u001b]0;owned\\u0007\\u202egnp\\u0085\\r\\nerror: paid"}';

type Row = [name: string, ends: Hostile['ends'], answer: Serve, more?: Partial<Hostile>];

/** What a server answers with, and how the record ends. */
const ANSWERS: Row[] = [
  // Bodies
  [
    'a body in chunks without end',
    'unknown',
    pours(CHUNKED, `10000\r\n${'.'.repeat(65_536)}\r\n`),
    { ...WRONG, ...TOO_LONG },
  ],
  [
    'a body of a terabyte',
    'unknown',
    pours(`${ENDLESS}content-length: 1099511627776\r\n\r\n`, '.'.repeat(65_536)),
    { ...WRONG, ...TOO_LONG },
  ],
  ['a refusal of more than a mebibyte', 'rejected', refused(`{"error":"${'x'.repeat(MEGABYTE)}"}`), TOO_LONG],
  ['a body that dribbles', 'unknown', dribbles(`${ENDLESS}content-length: 5000\r\n\r\n{"id":"`, '.'), LATE],
  ['chunk extensions that dribble', 'unknown', dribbles(`${CHUNKED}5;x=`, 'y'), LATE],
  ['bytes that are no UTF-8', 'created', created(NO_UTF8)],
  ['a byte order mark before the object', 'created', created('\ufeff{"id":1}')],
  ['lists nested 100,000 deep in an object', 'created', created(`{"id":1,"a":${deep(DEEP)}}`)],
  ['lists nested 100,000 deep', 'unknown', created(deep(DEEP)), WRONG],
  ['a refusal nested 100,000 deep', 'rejected', refused(deep(DEEP)), { says: /^HTTP 422: \[{300}…$/ }],
  [
    'a refusal whose message is 80,000 messages deep',
    'rejected',
    refused(deep(80_000, '{"message":', '}', '1')),
    { says: /^HTTP 422: \{"message"/ },
  ],
  [
    'an error page with status 201',
    'unknown',
    created('<html><h1>502 Bad Gateway</h1></html>', 'content-type: text/html\r\n'),
    { ...WRONG, says: /502 Bad Gateway/ },
  ],
  ...COMPRESSED.flatMap(([encoding, bytes]): Row[] => {
    const inIt = (body: Buffer): Serve => created(body, `content-encoding: ${encoding}\r\n`);
    return [
      [`an answer in ${encoding} although it must not be`, 'created', inIt(bytes)],
      [
        `an answer in ${encoding} that is cut off near its end`,
        'unknown',
        inIt(bytes.subarray(0, -3)),
        { says: CUT_OFF },
      ],
      [`an answer in ${encoding} that is cut off at once`, 'unknown', inIt(bytes.subarray(0, 2)), { says: CUT_OFF }],
    ];
  }),
  [
    'a compressed answer that is huge',
    'unknown',
    created(gzipSync(Buffer.alloc(4 * MEGABYTE, OK)), GZIP),
    { ...WRONG, says: /^HTTP 201 with an answer longer than is read/ },
  ],
  [
    'a refusal in an encoding that nobody knows',
    'rejected',
    refused(brotliCompressSync('{"error":"x"}'), 'Content-Encoding: x-what, br\r\n'),
    { says: /^HTTP 422: / },
  ],
  // Lengths
  ['a length that is too long', 'unknown', closes(`${ENDLESS}content-length: 500\r\n\r\n${OK}`)],
  ['a length that is too short', 'unknown', closes(`${ENDLESS}content-length: 5\r\n\r\n${OK}`), WRONG],
  [
    'two lengths that do not agree',
    'unknown',
    closes(`${ENDLESS}content-length: 10\r\ncontent-length: 5\r\n\r\n${OK}`),
  ],
  [
    'a length and chunks',
    'unknown',
    closes(`${ENDLESS}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\na\r\n${OK}\r\n0\r\n\r\n`),
  ],
  ['a negative length', 'unknown', closes(`${ENDLESS}content-length: -1\r\n\r\n{}`)],
  // Heads
  ['headers that dribble', 'unknown', dribbles(`${ENDLESS}x: `, 'y'), LATE],
  ['a status line that dribbles', 'unknown', dribbles('HTTP/1.1 201 ', 'y'), LATE],
  ['headers without end', 'unknown', pours(ENDLESS, 'x-filler: 1\r\n'), FLOOD],
  ['one header without end', 'unknown', pours(`${ENDLESS}x: `, 'y'.repeat(1000)), FLOOD],
  ['ten thousand small headers', 'unknown', created('{}', 'x: 1\r\n'.repeat(10_000)), FLOOD],
  // Interim answers
  ['100 Continue first', 'unknown', writes(Buffer.concat([Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'), CREATED]))],
  ['many interim answers first', 'created', writes(Buffer.concat([Buffer.from(interim(2000)), CREATED]))],
  ['interim answers without end', 'unknown', dribbles('', 'HTTP/1.1 102 Processing\r\n\r\n'), LATE],
  [
    'a flood of interim answers without end',
    'unknown',
    pours('', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(500)),
    { floods: true, ...LATE },
  ],
  ['an interim answer and then the end', 'unknown', closes('HTTP/1.1 102 Processing\r\n\r\n')],
  [
    'another protocol offered',
    'unknown',
    writes('HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
  ],
  // Other versions
  ['HTTP/1.0 with a length', 'created', closes(`HTTP/1.0 201 Created\r\ncontent-length: 10\r\n\r\n${OK}`)],
  ['HTTP/1.0 without a length', 'created', closes(`HTTP/1.0 201 Created\r\n\r\n${OK}`)],
  ['HTTP/1.0 without a length, cut off', 'unknown', closes('HTTP/1.0 201 Created\r\n\r\n{"id":"x'), WRONG],
  ['HTTP/0.9', 'unknown', closes(OK), NO_HTTP],
  ['a version that does not exist', 'unknown', closes('HTTP/7.3 201 Created\r\n\r\n{}'), NO_HTTP],
  ['Connection: close', 'created', closes(whole('201 Created', OK, 'connection: close\r\n'))],
  // Words
  ['control characters in what it says', 'rejected', refused(CONTROLS)],
];

/** What a server does as soon as there is a connection. */
const CONNECTED: Row[] = [
  ['HTTP/2 at once', 'unknown', writes(Buffer.from('00000c04000000000000030000006400040000ffff', 'hex')), NO_HTTP],
  ['another protocol altogether', 'unknown', writes('SSH-2.0-OpenSSH_9.6\r\n'), NO_HTTP],
  ['connections that are closed at once', 'unknown', (socket) => void socket.end()],
  ['connections on which nothing is ever said', 'unknown', (socket) => void socket.resume(), LATE],
];

const HOSTILE: Hostile[] = [
  ...ANSWERS.map(([name, state, answer, more]) => ({ name, ends: state, answer, ...more })),
  ...CONNECTED.map(([name, state, connected, more]) => ({ name, ends: state, connected, ...more })),
];

/** What must hold whatever the server does. */
function expectSound({ code, stdout, stderr, summary }: CliResult): void {
  expect(code).toBe(summary.exit_code);
  expect([0, 4, 5, 6]).toContain(code);
  expect(stderr).not.toMatch(/\n\s+at |Internal error in gigwork|node:internal|Unhandled|ExperimentalWarning/);
  expect(`${stdout}${stderr}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
  expect(stderr.length).toBeLessThan(5000);
}

const KINDS = [
  { command: 'payout create', path: '/api/v2/payouts', file: 'p.csv' },
  { command: 'gig create', path: '/api/v2/gigs', file: 'g.ndjson' },
] as const;

function withRecords(count: number): Workspace {
  const work = workspace();
  work.file('p.csv', csv(payouts(count)));
  work.file('g.ndjson', ndjson(gigs(count)));
  return work;
}

/** A server that is hostile until it is healed; behind it stands a service with a ledger, which does what is asked. */
interface Patient {
  readonly url: string;
  readonly service: Service;
  heal(): void;
}

/**
 * Each record is carried out before the hostile answer, unless that refuses it.
 * @param cases one for each record, in order
 */
async function hostileServer(path: string, cases: readonly Hostile[]): Promise<Patient> {
  const service = await testService();
  let isHostile = true;
  const answerOne = async (socket: Socket, body: string): Promise<void> => {
    const { title } = JSON.parse(body) as { title: string };
    const hostile = cases[Number(/\d+$/.exec(title)?.[0]) - 1] as Hostile;
    if (hostile.ends !== 'rejected') await post(service.url + path, body);
    hostile.answer?.(socket);
  };
  const [first] = cases;
  const { url } = await rawServer((socket) => {
    if (!isHostile) {
      const through = connect(service.port, '127.0.0.1');
      through.on('error', () => socket.destroy());
      socket.once('close', () => through.destroy());
      socket.pipe(through).pipe(socket);
    } else if (first?.connected !== undefined) first.connected(socket);
    else eachRequest(socket, (body) => void answerOne(socket, body));
  });
  return { url, service, heal: () => (isHostile = false) };
}

const PATIENT = ['--retries', '1', '--concurrency', '64'];
/** For gigs: in the order of the file. */
const ONE_BY_ONE = ['--retries', '1', '--concurrency', '1'];
/** Only where nothing else than the end of the time is waited for: elsewhere a busy machine needs what it needs. */
const HURRY = ['--timeout', '0.5'];

const isLate = ({ says }: Hostile): boolean => says === LATE.says;

function outcomes(result: CliResult): { status: string; error: string }[] {
  const records = result.events.filter(({ event }) => event === 'record');
  return records.sort((a, b) => a.record - b.record);
}

/** Runs into the hostile server, then the same command into the healed one: nothing is lost that a key protects, nothing doubled. */
async function expectSurvived(
  { command, path, file }: (typeof KINDS)[number],
  cases: readonly Hostile[],
): Promise<CliResult> {
  const work = withRecords(cases.length);
  const { url, service, heal } = await hostileServer(path, cases);
  const pace = command === 'gig create' ? ONE_BY_ONE : PATIENT;
  const hurry = cases.some(isLate) ? HURRY : [];
  const result = await send(work, command, file, { url }, [...pace, ...hurry]);
  expectSound(result);
  const found = outcomes(result);
  expect(found.map(({ status }, i) => [cases[i]?.name, status])).toEqual(cases.map(({ name, ends }) => [name, ends]));
  for (const [i, { ends, says = /\w/ }] of cases.entries())
    if (ends !== 'created') expect(found[i]?.error).toMatch(says);
  if (result.code === 5) expect(result.stderr).toContain('gigwork batch resume');
  heal();
  // What was refused stays refused, unless the person wants another try.
  const again = await send(work, command, file, { url }, [...PATIENT, '--retry-rejected']);
  expectSound(again);
  const isKeyed = command === 'payout create';
  const after = cases.map(({ name, ends }) => {
    if (ends === 'created') return [name, 'already_created'];
    return [name, ends === 'unknown' && !isKeyed ? 'unknown' : 'created'];
  });
  expect(outcomes(again).map(({ status }, i) => [cases[i]?.name, status])).toEqual(after);
  expect([...service.executions.values()].filter((times) => times > 1)).toEqual([]);
  if (isKeyed) expect(service.ledgerTotal()).toBe(cases.length);
  return result;
}

const HARMLESS: Hostile = { name: 'a plain answer', ends: 'created', answer: created(OK) };
const plain = HOSTILE.filter(({ connected, stop, floods }) => !(connected ?? stop ?? floods));

describe.each(KINDS)('$command, sent to a server that answers with', (kind) => {
  test.each([
    { kinds: 'kinds of answers', cases: plain.filter((hostile) => !isLate(hostile)) },
    { kinds: 'kinds of answers that never end', cases: plain.filter(isLate) },
  ])('many $kinds, one for each record', async ({ cases }) => {
    const isGig = kind.command === 'gig create';
    // Three gigs in doubt in a row stop a run.
    const { summary } = await expectSurvived(kind, isGig ? cases.flatMap((each) => [each, HARMLESS]) : cases);
    expect(summary).toMatchObject({ exit_code: isGig ? 6 : 5, stop_reason: null });
  });
});

test.each(HOSTILE.filter((hostile) => !plain.includes(hostile)))(
  'a payout, sent to a server that answers with $name',
  async (hostile) => {
    const { summary } = await expectSurvived(KINDS[0], [hostile]);
    expect(summary.stop_reason).toBe(hostile.stop ?? null);
  },
);

describe('a second answer on a connection', () => {
  const STRANGE = whole('201 Created', '{"id":"strange"}');
  const answerOf = (body: string): Buffer =>
    whole('201 Created', JSON.stringify({ id: (JSON.parse(body) as { title: string }).title }));

  test.each<[string, (socket: Socket, body: string) => void]>([
    ['with the first', (socket, body) => socket.write(Buffer.concat([answerOf(body), STRANGE]))],
    // One that comes later, when the next request has been written, is told apart by the record that it shows.
    [
      'with the end of the first',
      (socket, body) => {
        const first = answerOf(body);
        socket.write(first.subarray(0, 20), () => socket.write(Buffer.concat([first.subarray(20), STRANGE])));
      },
    ],
    [
      'that refuses, with the first',
      (socket, body) => socket.write(Buffer.concat([answerOf(body), whole('422 No', '{}')])),
    ],
    ['half of one', (socket, body) => socket.write(Buffer.concat([answerOf(body), STRANGE.subarray(0, 30)]))],
    [
      'hidden behind a length that is too short',
      (socket, body) => {
        const whole422 = answerOf(body).toString();
        socket.write(whole422 + 'HTTP/1.1 422 No\r\ncontent-length: 2\r\n\r\n{}'.repeat(3));
      },
    ],
  ])('%s is never taken for the next record’s', async (_how, answer) => {
    const work = withRecords(20);
    const server = await rawServer((socket) => eachRequest(socket, (body) => answer(socket, body)));
    const result = await send(work, 'payout create', 'p.csv', server, ['--concurrency', '1', '--retries', '3'], {
      env: NO_WAITS,
    });
    expectSound(result);
    const records = result.events.filter(({ event }) => event === 'record');
    expect(records).toHaveLength(20);
    for (const { record, status, response } of records) {
      expect(status).toBe('created');
      expect(response).toEqual({ id: `Bonus ${record}` });
    }
  });

  test('about the record before it, when the next request has been written, confirms nothing', async () => {
    const work = withRecords(6);
    let before = '';
    const server = await rawServer((socket) =>
      eachRequest(socket, (body) => {
        const own = JSON.stringify({ ...(JSON.parse(body) as object), id: 'own' });
        // The fourth record's connection brings the third one's answer once more.
        const comesLate = body.includes('Bonus 4') && before.includes('Bonus 3');
        socket.write(whole('201 Created', comesLate ? before : own));
        before = own;
      }),
    );
    const result = await send(work, 'payout create', 'p.csv', server, ['--concurrency', '1']);
    expectSound(result);
    const ends = outcomes(result).map(({ status, error }) => [status, error]);
    const paid = ['created', null];
    const late = ['unknown', expect.stringContaining('another idempotency_key than was sent')];
    expect(ends).toEqual([paid, paid, paid, late, paid, paid]);
  });
});

describe('what is bounded', () => {
  test('memory, by a flood of bodies and headers at once', async () => {
    const work = withRecords(64);
    const server = await rawServer((socket) =>
      eachRequest(socket, (body) => {
        if (body.length % 2 === 0) pour(socket, CHUNKED, `10000\r\n${'.'.repeat(65_536)}\r\n`);
        else pour(socket, ENDLESS, 'x-filler: 1\r\n');
      }),
    );
    const env = { TEST_PEAK_TO: work.path('peak') };
    const result = await startSending(work, 'gig create', 'g.ndjson', server, PATIENT, { entry: PEAK_ENTRY, env })
      .result;
    expectSound(result);
    expect(result.summary).toMatchObject({ exit_code: 6, records: { created: 0, rejected: 0 } });
    // A mebibyte for each of the 64, beside what the program takes anyway; the server would have sent gigabytes.
    expect(Number(work.read('peak'))).toBeLessThan(400 * MEGABYTE);
  });

  test('connections that are reset at once: in doubt where a byte may have arrived, else not sent', async () => {
    const work = withRecords(50);
    const server = await rawServer((socket) => socket.resetAndDestroy());
    const result = await send(work, 'payout create', 'p.csv', server, PATIENT, { env: NO_WAITS });
    expectSound(result);
    const { not_sent: notSent, unknown } = result.summary.records;
    expect(notSent + unknown).toBe(50);
    expect(server.connections()).toBeLessThanOrEqual(100);
  });
});
