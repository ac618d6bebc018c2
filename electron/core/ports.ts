import type { Readable } from 'node:stream';
import type { JobWork } from '../../shared/models/job-kinds.ts';
import type { UpdateStatus } from '../../shared/models/updates.ts';
import { failure } from '../../shared/errors.ts';

/** The interfaces through which electron/core uses its environment. Hosts and tests implement them. */
export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Secrets;
  readonly logger: Logger;
  readonly dialogs: Dialogs;
  readonly shell: Shell;
  /** Absent if the host cannot ask the operating system. Only the environment can then define proxies. */
  readonly systemProxy?: SystemProxy;
  /** Absent if the system has no such call. Each file is then flushed separately. */
  readonly diskSync?: DiskSync;
}

export interface Clock {
  /** Returns milliseconds since 1970, by the computer's clock. */
  nowMs(): number;
  /** Returns a steady count of milliseconds, for measuring. Changes of the clock do not affect it. */
  monotonicMs(): number;
  /** Resolves after `delayMs`. Rejects with the signal's reason if it aborts first. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>;
}

export interface Random {
  /** Returns a random number, uniform in [0, 1). */
  fraction(): number;
  /** Returns a new random identifier (UUID v4). */
  id(): string;
}

/** Encrypted or access-protected storage of secrets, by name. Values never leave the core. */
export interface Secrets {
  /** How values are protected, for display in the window. */
  readonly protection: 'system' | 'file' | 'plain-text' | 'memory';
  get(name: string): Promise<string | null>;
  set(name: string, value: string): Promise<void>;
  delete(name: string): Promise<void>;
}

export interface Logger {
  debug(message: string, fields?: Readonly<Record<string, unknown>>): void;
  info(message: string, fields?: Readonly<Record<string, unknown>>): void;
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
  error(message: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** Native dialogs. `available` is false for hosts without them (the browser host). */
export interface Dialogs {
  readonly available: boolean;
  openFiles(options: { readonly title: string; readonly multiple: boolean }): Promise<readonly string[]>;
  openFolder(options: { readonly title: string }): Promise<string | null>;
  saveFile(options: { readonly title: string; readonly suggestedName: string }): Promise<string | null>;
}

export interface Shell {
  /** Opens a document with the system's program for its type; absent if the host cannot. */
  openPath?(path: string): Promise<void>;
  /** Moves a file or an empty folder to the system's trash; absent if the host has none. */
  trashItem?(path: string): Promise<void>;
  /** Shows the file in the system's file manager, without opening it. */
  revealInFolder(path: string): Promise<void>;
  /** Supplies the files for a drag that started in the window; absent if the host cannot. */
  startDrag?(files: readonly string[]): Promise<void>;
  /** Shows a notification about a job that stopped. The host chooses the wording. */
  notify(notice: JobNotice): void;
}

/** A notification about a job that stopped, shown outside the window. */
export interface JobNotice {
  readonly state: 'done' | 'nothing-done' | 'paused' | 'attention';
  readonly work: JobWork;
  /** The name of the job's first file, object or folder, without its folder. `others` counts the rest. */
  readonly name: string;
  readonly others: number;
  /** The bucket; '' if the job has several buckets. */
  readonly bucket: string;
  /** The number of objects that a service's batch job reported as failed. */
  readonly failed: number;
}

/** The proxy settings of the operating system, including PAC files. */
export interface SystemProxy {
  /**
   * Returns the address of the proxy for requests to this origin; null for a direct connection. Throws
   * `AppError('invalid-argument')` if the system defines only proxies that cannot be used.
   */
  routeTo(origin: string): Promise<string | null>;
  /** Reports a proxy that does not respond. For a while, another proxy of the same rules is preferred. */
  avoid(proxy: string): void;
}

/** Flushes a whole disk for hundreds of small files at once, because flushing each one costs more than writing it. */
export interface DiskSync {
  /**
   * Returns true if everything written to this folder's disk before the call survives a power loss. Returns false if that is
   * impossible or takes too long; the caller must then flush each file.
   */
  sync(folder: string): Promise<boolean>;
  close(): void;
}

/** Updates of the program, as far as the host supports them. */
export interface Updates {
  status(): UpdateStatus;
  check(): Promise<void>;
  download(): Promise<void>;
  cancel(): void;
  install(): Promise<void>;
}

/** A request body that can be opened again for each attempt. */
export interface BodySource {
  readonly sizeBytes: number;
  /** An iterable may reuse the memory of a chunk as soon as the next chunk is requested. */
  open(): Readable | AsyncIterable<Uint8Array> | Uint8Array;
}

const unsupported = (): Promise<never> =>
  Promise.reject(failure('unsupported', 'This copy of Cooper does not update itself.'));

/** Implements `Updates` for a host that cannot update Cooper: a package manager or the user does. */
export const noUpdates: Updates = {
  status: () => ({ kind: 'off', reason: 'browser' }),
  check: unsupported,
  download: unsupported,
  cancel: () => undefined,
  install: unsupported,
};
