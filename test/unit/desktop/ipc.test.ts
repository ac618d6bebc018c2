import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  connectChannel,
  dropChannel,
  editTextChannel,
  listeningChannel,
} from '../../../electron/desktop/page/channels.ts';
import { serveConnections } from '../../../electron/desktop/page/ipc.ts';
import { fakePorts } from '../../support/core/fake-ports.ts';

type Invoked = (event: unknown, given: unknown) => Promise<unknown>;

const electron = vi.hoisted(() => ({
  listeners: new Map<string, (event: unknown, ...args: unknown[]) => void>(),
  invoked: new Map<string, Invoked>(),
}));

vi.mock('electron', () => ({
  ipcMain: {
    on: (channel: string, listener: (event: unknown, ...args: unknown[]) => void) =>
      electron.listeners.set(channel, listener),
    handle: (channel: string, response: Invoked) => electron.invoked.set(channel, response),
  },
}));

const page = { url: 'cooper://app/' };
const strayed = { url: 'https://example.com/' };
const window = { senderFrame: page, sender: { id: 1, mainFrame: page } };
const foreign = [
  ['a frame within the page', { ...window, senderFrame: { ...page } }],
  ['a closed frame', { ...window, senderFrame: null }],
  ['another window', { ...window, sender: { id: 2, mainFrame: page } }],
  ['a window on a foreign page', { senderFrame: strayed, sender: { id: 1, mainFrame: strayed } }],
] as const;

/** A port that records how the main process uses it. */
class Port extends EventEmitter {
  readonly calls: unknown[] = [];
  start(): void {
    this.calls.push('start');
  }
  close(): void {
    this.calls.push('close');
  }
  postMessage(message: unknown): void {
    this.calls.push(message);
  }
}

const served: unknown[] = [];
const received: string[] = [];
const listening: number[] = [];

beforeEach(() => {
  served.length = 0;
  received.length = 0;
  listening.length = 0;
  serveConnections({
    isProgramWindow: (id) => id === 1,
    serve: (port) => void served.push(port),
    droppedFile: (filePath) => {
      received.push(filePath);
      return Promise.resolve({ handle: 'handle', name: 'a', kind: 'file' } as never);
    },
    onListening: (id) => void listening.push(id),
    logger: fakePorts().logger,
  });
});

function connect(sender: object): Port {
  const port = new Port();
  electron.listeners.get(connectChannel)?.({ ...sender, ports: [port] });
  return port;
}

const drop = (sender: object): unknown => electron.invoked.get(dropChannel)?.(sender, '/home/user/a');

describe('a port to the core', () => {
  test('is served to the main frame of the window on its page', () => {
    const port = connect(window);
    expect(served).toEqual([port]);
    expect(port.calls).toEqual(['start']);
  });

  test.each(foreign)('is refused to %s', (_name, sender) => {
    const port = connect(sender);
    expect(served).toEqual([]);
    expect(port.calls).toEqual([expect.objectContaining({ code: 'access-denied' }), 'close']);
  });
});

describe('the path of a dropped file', () => {
  test('is accepted from the main frame of the window on its page', async () => {
    expect(await drop(window)).toMatchObject({ kind: 'file' });
    expect(received).toEqual(['/home/user/a']);
  });

  test.each(foreign)('is refused from %s', async (_name, sender) => {
    expect(await drop(sender)).toMatchObject({ kind: 'refused', error: { code: 'access-denied' } });
    expect(received).toEqual([]);
  });
});

const send = (channel: string, sender: object, ...args: unknown[]) =>
  electron.listeners.get(channel)?.(sender, ...args);

describe('a message of the preload script about the page', () => {
  const edited: string[] = [];
  const contents = { ...window.sender, copy: () => void edited.push('copy') };
  beforeEach(() => {
    edited.length = 0;
  });

  test('is accepted from the main frame of the window on its page', () => {
    send(listeningChannel, window);
    send(editTextChannel, { ...window, sender: contents }, 'copy');
    expect(listening).toEqual([1]);
    expect(edited).toEqual(['copy']);
  });

  test.each(foreign)('is ignored from %s', (_name, sender) => {
    send(listeningChannel, sender);
    send(editTextChannel, { ...sender, sender: { ...contents, ...sender.sender } }, 'copy');
    expect(listening).toEqual([]);
    expect(edited).toEqual([]);
  });

  test('can only call the methods of the Edit menu', () => {
    send(
      editTextChannel,
      { ...window, sender: { ...contents, executeJavaScript: () => edited.push('run') } },
      'executeJavaScript',
    );
    expect(edited).toEqual([]);
  });
});
