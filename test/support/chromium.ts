/** Chromium in tests: pages as people see and print them. Spoken to through a pipe, without a package. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { pathToFileURL } from 'node:url';

/** Full path of a Chromium that is installed; null where there is none. */
export function chromiumPath(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const found = ['chromium', 'chromium-browser', 'google-chrome'].flatMap((name) =>
    folders.map((at) => join(at, name)),
  );
  return found.find((path) => existsSync(path)) ?? null;
}

/** Nothing but the page: no network, no services beside it, and no sandbox, which a container does not allow. */
const FLAGS = [
  ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--hide-scrollbars'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

export interface Printed {
  readonly pages: number;
  /** The page, from 1, on which the element with this id begins. */
  pageOf(id: string): number | undefined;
}

export interface OpenPage {
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** As it is printed, or on a screen, so many CSS pixels wide. */
  show(medium: 'print' | 'screen', width: number): Promise<void>;
  /** Prints it on the paper that the page asks for. @param ids elements whose pages are asked for */
  print(ids: readonly string[]): Promise<Printed>;
}

export interface Browser {
  open(html: string): Promise<OpenPage>;
  close(): Promise<void>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- messages of the DevTools protocol
type Message = any;

/** @param path of a Chromium */
export async function startChromium(path: string): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'gigwork-chromium-'));
  const child = spawn(path, [...FLAGS, `--user-data-dir=${home}`, '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const send = protocol(child.stdio[3] as Writable, child.stdio[4] as Readable);
  let count = 0;
  return {
    open: async (html) => {
      const file = join(home, `page-${++count}.html`);
      writeFileSync(file, html);
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return openPage((method, params) => send(method, params, sessionId as string), pathToFileURL(file).href);
    },
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

type Send = (method: string, params?: object) => Promise<Message>;

/** Messages are JSON, each ended by a zero byte. */
function protocol(
  to: Writable,
  from: Readable,
): (method: string, params?: object, session?: string) => Promise<Message> {
  const waiting = new Map<number, { resolve: (result: Message) => void; reject: (cause: Error) => void }>();
  let rest = '';
  let last = 0;
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const { id, result, error } of messages.map((text): Message => JSON.parse(text))) {
      const asked = waiting.get(id);
      waiting.delete(id);
      if (error === undefined) asked?.resolve(result);
      else asked?.reject(new Error(error.message));
    }
  });
  return (method, params = {}, sessionId) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      waiting.set(id, { resolve, reject });
      to.write(`${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`);
    });
}

async function openPage(send: Send, url: string): Promise<OpenPage> {
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text}: ${expression}`);
    return result.value as Value;
  };
  await send('Page.enable');
  await send('Page.navigate', { url });
  // The document of the address before may still be there.
  while ((await evaluate<string>('`${document.readyState} ${location.href}`')) !== `complete ${url}`);
  return {
    evaluate,
    show: async (media, width) => {
      await send('Emulation.setEmulatedMedia', { media });
      await send('Emulation.setDeviceMetricsOverride', { width, height: 1000, deviceScaleFactor: 1, mobile: false });
    },
    print: async (ids) => {
      // A PDF tells where the aims of its links are. Links at the end change nothing above them.
      const links = ids.map((id) => `<a href="#${id}">x</a>`).join('');
      await evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(links)})`);
      const { data } = await send('Page.printToPDF', { preferCSSPageSize: true });
      return printed(Buffer.from(data as string, 'base64').toString('latin1'));
    },
  };
}

/** What Chromium's PDF says of its pages: objects are plain text, only what they hold is compressed. */
function printed(pdf: string): Printed {
  const kids = [...pdf.matchAll(/\/Kids \[([\d R\s]*)\]/g)].flatMap(
    ([, list = '']) => list.match(/\d+(?= 0 R)/g) ?? [],
  );
  const objects = new Map([...pdf.matchAll(/^(\d+) 0 obj\n<<\/Type \/(Pages?)\b/gm)].map(([, id, kind]) => [id, kind]));
  const pages = kids.filter((id) => objects.get(id) === 'Page');
  return {
    pages: pages.length,
    pageOf: (id) => {
      const aim = new RegExp(`/${id} \\[(\\d+) 0 R `).exec(pdf)?.[1];
      return aim === undefined ? undefined : pages.indexOf(aim) + 1;
    },
  };
}
