/** Chromium: pages as people see and print them. Spoken to through a pipe, without a package. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Readable, Writable } from 'node:stream';

export interface Browser {
  open(html: string): Promise<OpenPage>;
  close(): Promise<void>;
}

export interface OpenPage {
  /** The value of an expression in the page. */
  evaluate<Value>(expression: string): Promise<Value>;
  /** As it is printed, or on a screen, so many CSS pixels wide. */
  show(medium: 'print' | 'screen', width: number): Promise<void>;
  /** Prints it on the paper that the page asks for. @param ids elements whose pages are asked for */
  print(ids: readonly string[]): Promise<Printed>;
  /** A part of it as PNG, in CSS pixels. */
  picture(part: { x: number; y: number; width: number; height: number }): Promise<Buffer>;
}

export interface Printed {
  readonly pages: number;
  /** The page, from 1, on which the element with this id begins. */
  pageOf(id: string): number | undefined;
}

// oxlint-disable-next-line typescript/no-explicit-any -- the protocol is Chromium's
type Send = (method: string, params?: object, session?: string) => Promise<any>;

/** Full path of a Chromium that is installed; null where there is none. */
export function chromiumPath(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  const names = ['chromium', 'chromium-browser', 'google-chrome'];
  const found = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return found.find((path) => existsSync(path)) ?? null;
}

/** Nothing but the page: no network, no services beside it, and no sandbox, which a container does not allow. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--hide-scrollbars',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** @param path of a Chromium */
export async function startChromium(path: string): Promise<Browser> {
  const home = mkdtempSync(join(tmpdir(), 'gigwork-chromium-'));
  const child = spawn(path, [...FLAGS, `--user-data-dir=${home}`, '--remote-debugging-pipe', 'about:blank'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    // A process group of its own: Chromium's helpers write into the folder too, and end with it.
    detached: true,
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const [, , , to, from] = child.stdio;
  const send = protocol(to as Writable, from as Readable);
  let count = 0;
  return {
    open: async (html) => {
      const file = join(home, `page-${++count}.html`);
      writeFileSync(file, html);
      const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return openPage((method, params) => send(method, params, sessionId), pathToFileURL(file).href);
    },
    close: async () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    },
  };
}

/** Messages are JSON, each ended by a zero byte. */
function protocol(to: Writable, from: Readable): Send {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (cause: Error) => void }>();
  let rest = '';
  let last = 0;
  from.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\0');
    rest = messages.pop() ?? '';
    for (const text of messages) {
      const { id, result, error } = JSON.parse(text);
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
  const evaluate: OpenPage['evaluate'] = async (expression) => {
    const asked = { expression, returnByValue: true, awaitPromise: true };
    const { result, exceptionDetails } = await send('Runtime.evaluate', asked);
    if (exceptionDetails !== undefined) throw new Error(`${exceptionDetails.text}: ${expression}`);
    return result.value;
  };
  await send('Page.enable');
  await send('Page.navigate', { url });
  // The document of the address before may still be there.
  while ((await evaluate('`${document.readyState} ${location.href}`')) !== `complete ${url}`);
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
      return printed(Buffer.from(data, 'base64').toString('latin1'));
    },
    picture: async (clip) => {
      const { data } = await send('Page.captureScreenshot', {
        clip: { ...clip, scale: 1 },
        captureBeyondViewport: true,
      });
      return Buffer.from(data, 'base64');
    },
  };
}

/** What Chromium's PDF says of its pages: objects are plain text, only what they hold is compressed. */
function printed(pdf: string): Printed {
  const kids = [...pdf.matchAll(/\/Kids \[([\d R\s]*)\]/g)].flatMap(
    ([, list = '']) => list.match(/\d+(?= 0 R)/g) ?? [],
  );
  const kinds = new Map([...pdf.matchAll(/^(\d+) 0 obj\n<<\/Type \/(Pages?)\b/gm)].map(([, id, kind]) => [id, kind]));
  const pages = kids.filter((id) => kinds.get(id) === 'Page');
  return {
    pages: pages.length,
    pageOf: (id) => {
      const aim = new RegExp(`/${id} \\[(\\d+) 0 R `).exec(pdf)?.[1];
      return aim === undefined ? undefined : pages.indexOf(aim) + 1;
    },
  };
}
