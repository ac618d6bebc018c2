import { randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { setFolderAside } from '../core/store/safe-files.ts';
import { takeLock, type Lock } from './lock.ts';
import { exitFailure, StartProblem } from './problem.ts';
import { text } from './text.ts';

/**
 * The content of `control.json`: the path of a local socket and a key. Through them, a second start of the program reaches the
 * process that holds the lock of the data folder. Only this user account can read the file. It is parsed without zod, which would
 * take longer to load than everything else.
 */
interface Note {
  readonly socket: string;
  readonly key: string;
}

interface Question {
  readonly key: string;
  readonly ask: 'show';
  readonly link: string | null;
}

export type ControlResponse =
  /** The browser host created a new address with a one-time code. */
  | { readonly kind: 'address'; readonly address: string }
  /** The desktop host brought its window to the front. */
  | { readonly kind: 'focused' };

/** The maximum message size in bytes: a link of 4096 characters, each up to six bytes in JSON, and the key. */
const maxMessageBytes = 32_768;
const responseTimeoutMs = 5000;
/**
 * The maximum length of a socket's path in bytes. `sun_path` has 104 bytes on macOS and 108 on Linux, including the final zero.
 */
const maxSocketPathBytes = 100;

export interface ControlServer {
  close(): Promise<void>;
}

/** Responds to later starts of the program, which may send a link to open. Only the process with the lock may call this. */
export async function serveControl(
  dataDir: string,
  show: (link: string | null) => ControlResponse,
): Promise<ControlServer> {
  const key = randomBytes(32).toString('base64url');
  const place = socketPlace(dataDir);
  const server = net.createServer((socket) => {
    serveSocket(socket, key, show);
  });
  // An earlier process may have left its socket file. That process has ended, because this one holds the lock now.
  if (process.platform !== 'win32') rmSync(place.socket, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(place.socket, resolve);
  });
  if (process.platform !== 'win32') chmodSync(place.socket, 0o600);

  const note = noteFile(dataDir);
  for (const name of [note, `${note}.new`]) setFolderAside(name, Date.now());
  writeFileSync(`${note}.new`, JSON.stringify({ socket: place.socket, key }), { mode: 0o600 });
  renameSync(`${note}.new`, note);

  return {
    close: async () => {
      rmSync(note, { force: true });
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
      if (place.tempDir !== null) rmSync(place.tempDir, { recursive: true, force: true });
    },
  };
}

/**
 * Asks the process that holds the lock to show its window and open a link. Returns null if it does not respond, because it is
 * starting or ending.
 */
export async function askControl(
  dataDir: string,
  link: string | null = null,
): Promise<ControlResponse | null> {
  const note = readNote(dataDir);
  if (note === null) return null;
  return new Promise((resolve) => {
    let received = '';
    const socket = net.createConnection(note.socket, () => {
      socket.write(`${JSON.stringify({ key: note.key, ask: 'show', link })}\n`);
    });
    socket.setEncoding('utf8');
    socket.setTimeout(responseTimeoutMs, () => socket.destroy());
    socket.on('data', (chunk: string) => {
      received += chunk;
      if (received.length > maxMessageBytes) socket.destroy();
    });
    // If no process listens on the socket file, that counts as no response.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      resolve(parse(responseOf, received));
    });
  });
}

function serveSocket(socket: net.Socket, key: string, show: (link: string | null) => ControlResponse): void {
  let received = '';
  socket.setEncoding('utf8');
  socket.setTimeout(responseTimeoutMs, () => socket.destroy());
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: string) => {
    received += chunk;
    if (received.length > maxMessageBytes) socket.destroy();
    if (!received.includes('\n')) return;
    const question = parse(questionOf, received);
    if (question === null || !isSameKey(question.key, key)) socket.destroy();
    else socket.end(JSON.stringify(show(question.link)));
  });
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses a message; returns null if it is truncated or has another format. */
function parse<T>(read: (fields: Fields) => T | null, json: string): T | null {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null ? read(value as Fields) : null;
  } catch {
    return null;
  }
}

function noteOf({ socket, key }: Fields): Note | null {
  return typeof socket === 'string' && typeof key === 'string' ? { socket, key } : null;
}

/** Parses a question. Older versions of Cooper send no link. */
function questionOf({ key, ask, link = null }: Fields): Question | null {
  if (typeof key !== 'string' || ask !== 'show') return null;
  return link === null || typeof link === 'string' ? { key, ask, link } : null;
}

function responseOf({ kind, address }: Fields): ControlResponse | null {
  if (kind === 'focused') return { kind };
  return kind === 'address' && typeof address === 'string' ? { kind, address } : null;
}

function isSameKey(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function readNote(dataDir: string): Note | null {
  try {
    return parse(noteOf, readFileSync(noteFile(dataDir), 'utf8'));
  } catch {
    // Without a readable `control.json`, there is no process to ask.
    return null;
  }
}

function noteFile(dataDir: string): string {
  return path.join(dataDir, 'control.json');
}

function socketPlace(dataDir: string): { readonly socket: string; readonly tempDir: string | null } {
  if (process.platform === 'win32') {
    return { socket: String.raw`\\.\pipe\cooper-${randomBytes(16).toString('hex')}`, tempDir: null };
  }
  const inside = path.join(dataDir, 'control.sock');
  if (Buffer.byteLength(inside) <= maxSocketPathBytes) return { socket: inside, tempDir: null };
  const tempDir = mkdtempSync(path.join(os.tmpdir(), 'cooper-'));
  return { socket: path.join(tempDir, 'control.sock'), tempDir };
}

type Claim =
  | { readonly kind: 'first'; readonly lock: Lock }
  | { readonly kind: 'second'; readonly answer: ControlResponse };

const retryDelayMs = 100;
const giveUpAfterMs = 8000;

/**
 * Locks the data folder, or asks the process that holds the lock to show its window. A process that is starting or ending does
 * not respond, so both are retried. Throws a StartProblem after a time limit.
 */
export async function claimDataDir(dataDir: string, link: string | null = null): Promise<Claim> {
  const endMs = performance.now() + giveUpAfterMs;
  for (;;) {
    const lock = takeLock(dataDir);
    if (lock !== null) return { kind: 'first', lock };
    const reply = await askControl(dataDir, link);
    if (reply !== null) return { kind: 'second', answer: reply };
    if (performance.now() > endMs) {
      throw new StartProblem(text('runningButSilent', { dir: dataDir }), exitFailure);
    }
    await delay(retryDelayMs);
  }
}
