/**
 * Runs the built main process and preload on the stand-in, simulates a window, a page that navigates away and the system, and
 * prints the results as one line of JSON. Started with `--import register.ts`.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileFunction } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { CoreClient } from '../../../shared/contract/index.ts';
import { askControl } from '../../../electron/host/control.ts';
import * as standIn from './electron.ts';

/** The folder of the built program. COOPER_TEST_DIST names another folder, such as that of a packaged program. */
const dist = new URL(process.env['COOPER_TEST_DIST'] ?? '../../../dist/desktop/', import.meta.url);
const dataDir = process.env['COOPER_TEST_DATA'] ?? '';
const report: Record<string, unknown> = {};

const exited = new Promise<number>((resolve) => {
  standIn.app.once('stand-in-exit', resolve);
});
const opened = new Promise<'opened'>((resolve) => {
  standIn.app.once('stand-in-window', () => {
    resolve('opened');
  });
});
await import(new URL('main.js', dist).href);
standIn.app.becomeReady();
await Promise.race([opened, exited]);
// Lets the rest of this event-loop iteration run after the window opened.
await nextTurn();

const window = standIn.BrowserWindow.all[0];
if (window === undefined) {
  finish();
} else {
  await playAll(window);
}

async function playAll(opened: standIn.BrowserWindow): Promise<void> {
  report['navigation'] = playNavigation(opened);
  report['windowOpen'] = Object.fromEntries(
    [
      'https://example.com/',
      'http://example.com/',
      'file:///etc/passwd',
      'cooper://app/',
      'javascript:1',
    ].map((url) => [url, opened.webContents.windowOpenHandler?.({ url }).action]),
  );
  report['permissions'] = playPermissions();
  report['requests'] = playRequests();
  report['download'] = playDownload(opened);
  report['scheme'] = await playScheme();
  report['channels'] = [...standIn.ipcMain.eventNames(), ...standIn.ipcMain.invokable.keys()];
  report['refused'] = await playForeignSenders(opened);
  report['preload'] = await playPreload(opened);
  report['droppedByOthers'] = await playForeignDrops(opened);
  report['control'] = await askControl(dataDir);
  standIn.app.quit();
  report['exitStatus'] = await exited;
  finish();
}

function playNavigation(opened: standIn.BrowserWindow): unknown {
  const addresses = [
    'cooper://app/',
    'cooper://app/bytes/ticket',
    'cooper://other/',
    'https://example.com/',
    'file:///etc/passwd',
    'data:text/html,x',
  ];
  const events = [
    ['will-navigate', 'will-navigate', true],
    ['will-frame-navigate', 'will-frame-navigate', true],
    ['a frame', 'will-frame-navigate', false],
    ['will-redirect', 'will-redirect', true],
    ['will-attach-webview', 'will-attach-webview', true],
  ] as const;
  return Object.fromEntries(
    events.map(([shown, name, isMainFrame]) => [
      shown,
      Object.fromEntries(
        addresses.map((url) => {
          const event = standIn.preventable({ url, isMainFrame });
          opened.webContents.emit(name, event);
          return [url, event.prevented ? 'refused' : 'let'];
        }),
      ),
    ]),
  );
}

/** Lets the page start a download on its own initiative. The system's dialog would answer with a path below the data folder. */
function playDownload(opened: standIn.BrowserWindow): unknown {
  const asked = path.join(dataDir, 'downloaded.txt');
  const bytes = Buffer.from('from the page');
  const item = standIn.session.defaultSession.download(opened.webContents, 'blob:x', 'x.txt', bytes, asked);
  return { state: item.getState(), exists: existsSync(asked) };
}

/** Lets the page send the bytes of a file that has no path. */
async function playSentCopy(core: CoreClient): Promise<unknown> {
  const body = Buffer.from('an attachment');
  const modifiedAt = new Date(0).toISOString();
  const ticket = await core.files.receive({ name: 'mail.txt', sizeBytes: body.byteLength, modifiedAt });
  const handle = handler('session.protocol.handle') as unknown as (request: Request) => Promise<Response>;
  const { status } = await handle(new Request(`cooper://app${ticket.path}`, { method: 'PUT', body }));
  const dropped = path.join(dataDir, 'dropped');
  const copy = readdirSync(dropped, { recursive: true, encoding: 'utf8' }).find((name) =>
    name.endsWith('mail.txt'),
  );
  return { status, text: readFileSync(path.join(dropped, copy ?? ''), 'utf8') };
}

/** Lets the page save a text through the core, for which the user chooses a file. */
async function playSave(core: CoreClient): Promise<unknown> {
  const file = path.join(path.dirname(dataDir), `${path.basename(dataDir)}-saved.txt`);
  standIn.fileAnswers.push([file]);
  const contentBase64 = Buffer.from('from the core').toString('base64');
  const { isSaved } = await core.files.save({ fileName: 'saved.txt', contentBase64 });
  const text = readFileSync(file, 'utf8');
  rmSync(file);
  return { isSaved, text };
}

function playPermissions(): unknown {
  const request = handler('session.setPermissionRequestHandler');
  const check = handler('session.setPermissionCheckHandler');
  const device = handler('session.setDevicePermissionHandler');
  const names = [
    'media',
    'geolocation',
    'notifications',
    'clipboard-read',
    'openExternal',
    'fileSystem',
    'fullscreen',
  ];
  const asked = (permission: string, requestingUrl: string): boolean => {
    let granted = true;
    request(null, permission, (response: boolean) => (granted = response), { requestingUrl });
    return granted;
  };
  return {
    granted: names.filter(
      (name) => asked(name, 'cooper://app/') || check(null, name, 'cooper://app', {}) === true,
    ),
    copyByWindow: asked('clipboard-sanitized-write', 'cooper://app/'),
    copyByOther: asked('clipboard-sanitized-write', 'https://example.com/'),
    checkByWindow: check(null, 'clipboard-sanitized-write', 'cooper://app', {}),
    checkByOther: check(null, 'clipboard-sanitized-write', 'https://example.com', {}),
    device: device({}),
  };
}

function playRequests(): unknown {
  const before = handler('session.webRequest.onBeforeRequest');
  const addresses = [
    'cooper://app/x.js',
    'blob:cooper://app/1',
    'data:,x',
    'https://example.com/',
    'http://127.0.0.1/',
    'file:///etc/passwd',
    'cooper://other/',
    'ws://127.0.0.1/',
  ];
  return addresses.filter((url) => {
    let cancelled = false;
    before({ url }, (response: { cancel: boolean }) => (cancelled = response.cancel));
    return !cancelled;
  });
}

async function playScheme(): Promise<unknown> {
  const handle = handler('session.protocol.handle') as unknown as (request: Request) => Promise<Response>;
  const ask = async (url: string, init?: RequestInit): Promise<Record<string, unknown>> => {
    const response = await handle(new Request(url, init));
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: (await response.text()).slice(0, 200_000),
    };
  };
  return {
    page: await ask('cooper://app/'),
    other: await ask('cooper://other/'),
    outside: await ask('cooper://app/..%2f..%2fpackage.json'),
    posted: await ask('cooper://app/', { method: 'POST', body: 'x' }),
    bytes: await ask('cooper://app/bytes/none'),
  };
}

/** Requests a port from senders that must be refused: any but the main frame of the window on its page. */
async function playForeignSenders(opened: standIn.BrowserWindow): Promise<unknown> {
  const { webContents } = opened;
  const other = new standIn.WebContents();
  other.mainFrame.url = 'cooper://app/';
  const senders = {
    frame: { sender: webContents, senderFrame: { url: 'cooper://app/' } },
    gone: { sender: webContents, senderFrame: null },
    otherWindow: { sender: other, senderFrame: other.mainFrame },
  };
  const outcomes: Record<string, unknown> = {};
  for (const [name, event] of Object.entries(senders)) outcomes[name] = await tryPort(event);
  webContents.mainFrame.url = 'https://example.com/';
  outcomes['strayedPage'] = await tryPort({ sender: webContents, senderFrame: webContents.mainFrame });
  webContents.mainFrame.url = 'cooper://app/';
  return outcomes;
}

/** Reports dropped files that must be refused: from other senders than the window's main frame, and with invalid paths. */
async function playForeignDrops(opened: standIn.BrowserWindow): Promise<unknown> {
  const { webContents } = opened;
  const other = new standIn.WebContents();
  other.mainFrame.url = 'cooper://app/';
  const trusted = { sender: webContents, senderFrame: webContents.mainFrame };
  const file = fileURLToPath(import.meta.url);
  const drops: Record<string, readonly [object, unknown]> = {
    frame: [{ sender: webContents, senderFrame: { url: 'cooper://app/' } }, file],
    gone: [{ sender: webContents, senderFrame: null }, file],
    otherWindow: [{ sender: other, senderFrame: other.mainFrame }, file],
    noText: [trusted, 7],
    relative: [trusted, 'package.json'],
    folder: [trusted, fileURLToPath(new URL('.', import.meta.url))],
    missing: [trusted, `${file}.none`],
  };
  const responses: Record<string, unknown> = {};
  for (const [name, [event, given]] of Object.entries(drops))
    responses[name] = await standIn.ipcMain.invokable.get('cooper:dropped-file')?.(event, given);
  return responses;
}

async function tryPort(event: object): Promise<unknown> {
  const { port1, port2 } = new MessageChannel();
  const first = new Promise((resolve) => {
    port2.once('message', resolve);
    port2.once('close', () => {
      resolve('closed');
    });
  });
  standIn.ipcMain.emit('cooper:connect', { ...event, ports: [new standIn.MessagePortMain(port1)] });
  const response = await first;
  port2.close();
  return response;
}

/** Runs the preload as in a page, and makes a call through the port that it passes on. */
async function playPreload(opened: standIn.BrowserWindow): Promise<unknown> {
  const exposed: Record<string, Record<string, (...args: unknown[]) => unknown>> = {};
  const required: string[] = [];
  const sent: unknown[] = [];
  const handed = Promise.withResolvers<unknown>();
  const modules = {
    contextBridge: {
      exposeInMainWorld: (name: string, api: Record<string, (...args: unknown[]) => unknown>) => {
        exposed[name] = api;
      },
    },
    ipcRenderer: {
      postMessage: (channel: string, message: unknown, ports: readonly never[]) => {
        sent.push([channel, message]);
        const { webContents } = opened;
        standIn.ipcMain.emit(channel, {
          sender: webContents,
          senderFrame: webContents.mainFrame,
          ports: ports.map((port) => new standIn.MessagePortMain(port)),
        });
      },
      invoke: async (channel: string, ...args: unknown[]) => {
        const { webContents } = opened;
        const event = { sender: webContents, senderFrame: webContents.mainFrame };
        return await standIn.ipcMain.invokable.get(channel)?.(event, ...args);
      },
    },
    webUtils: {
      // Throws for a value that is not a file, and returns '' for a file made by a script, as Electron does.
      getPathForFile: (file: unknown) => {
        if (!(file instanceof File)) throw new TypeError('Not a file.');
        return file.name === 'made.txt' ? '' : fileURLToPath(import.meta.url);
      },
    },
  };
  const page = {
    location: { origin: 'cooper://app' },
    postMessage: (message: unknown, origin: string, ports: readonly unknown[]) => {
      sent.push(['window', message, origin]);
      handed.resolve(ports[0]);
    },
  };
  const code = readFileSync(fileURLToPath(new URL('preload.cjs', dist)), 'utf8');
  const run = compileFunction(code, ['require', 'window', 'MessageChannel', 'module', 'exports']) as (
    ...args: unknown[]
  ) => void;
  const require = (name: string): unknown => {
    required.push(name);
    return modules;
  };
  run(require, page, MessageChannel, { exports: {} }, {});
  const surface = Object.fromEntries(Object.entries(exposed).map(([name, api]) => [name, Object.keys(api)]));
  exposed['cooper']?.['connect']?.();
  const port = (await handed.promise) as MessagePort;
  const core: CoreClient = createORPCClient(new RPCLink({ port }));
  port.start();
  const called = await callCore(core);
  report['saved'] = await playSave(core);
  report['sentCopy'] = await playSentCopy(core);
  port.close();
  const drop = async (file: unknown): Promise<unknown> => await exposed['cooper']?.['droppedFile']?.(file);
  const dropped = {
    file: await drop(new File(['x'], 'run-desktop.ts')),
    made: await drop(new File(['x'], 'made.txt')),
    noFile: await drop({ path: '/etc/passwd' }),
  };
  return { surface, required, sent, dropped, ...called };
}

async function callCore(core: CoreClient): Promise<Record<string, unknown>> {
  const connections = await core.connections.list();
  const samples = connections[0];
  if (samples === undefined) return { connections };
  const listed = await core.buckets.list({ connectionId: samples.id });
  const page = await firstFilledPage(core, samples.id);
  const made = await core.connections.create({
    ...(JSON.parse(process.env['COOPER_TEST_CONNECTION'] ?? '{}') as Parameters<
      typeof core.connections.create
    >[0]),
  });
  return { info: await core.app.info(), connections, buckets: listed.buckets, page, made };
}

/** Returns the first page of a bucket with objects. Retries, because the samples are still being created. */
async function firstFilledPage(core: CoreClient, connectionId: string): Promise<unknown> {
  for (let tries = 0; tries < 400; tries += 1) {
    const { buckets } = await core.buckets.list({ connectionId });
    for (const { name: bucket } of buckets) {
      const page = await core.objects.list({
        connectionId,
        bucket,
        prefix: '',
        delimiter: '/',
        pageToken: null,
      });
      if (page.objects.length + page.commonPrefixes.length > 0) return page;
    }
    await delay(25);
  }
  return null;
}

function handler(name: string): (...args: unknown[]) => unknown {
  const found = standIn.handlers.get(name);
  if (found === undefined) throw new Error(`The program never called ${name}.`);
  return found as (...args: unknown[]) => unknown;
}

function finish(): void {
  report['record'] = standIn.record;
  report['userData'] = standIn.app.paths.get('userData');
  process.stdout.write(`\nREPORT ${JSON.stringify(report)}\n`, () => process.exit(0));
}
