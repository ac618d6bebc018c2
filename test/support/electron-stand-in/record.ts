import type { EventEmitter } from 'node:events';

/** One call of the program. The parts of the stand-in share the record and the setup of the system. */
export interface Recorded {
  readonly what: string;
  readonly args: readonly unknown[];
}

export const record: Recorded[] = [];
export const note = (what: string, ...args: unknown[]): void => {
  record.push({ what, args });
};

type Handler = (...args: never[]) => unknown;
/** Functions the program handed over, by the name of the method they were handed to. */
export const handlers = new Map<string, Handler>();
export const keep =
  (name: string) =>
  (...args: unknown[]): void => {
    note(name);
    const handler = args.findLast((arg) => typeof arg === 'function');
    if (handler !== undefined) handlers.set(name, handler as Handler);
  };

export interface SystemSetup {
  storageBackend?: string;
  /** `refused`: the user denied access. `locked`: it is not unlocked yet. Chromium then uses another provider. */
  keyring?: 'refused' | 'locked';
  messageBoxAnswer?: number;
  /** A packaged program: where its resources lie. */
  resourcesPath?: string;
  version?: string;
  /** True if no window of the program has focus. */
  unfocused?: boolean;
  /** The languages of the system, the best liked first. */
  languages?: readonly string[];
  /** The accent colour: `rrggbbaa`, or `none` where asking for it fails. */
  accent?: string;
  /** The proxy rules of the system for every address, in the words of a PAC file. */
  proxy?: string;
  /** Another process holds Electron's lock on the same folder. */
  isSecond?: boolean;
}

/** Tests in the same process may change it. */
export const setup = JSON.parse(process.env['STAND_IN'] ?? '{}') as SystemSetup;
if (setup.resourcesPath !== undefined) Object.assign(process, { resourcesPath: setup.resourcesPath });

export interface Preventable {
  prevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(fields?: T): Preventable & T {
  const event = {
    prevented: false,
    preventDefault: () => {
      event.prevented = true;
    },
    ...fields,
  } as Preventable & T;
  return event;
}

/** Windows in the order of their making, closed ones included. Shared, because app and windows need each other. */
export interface AnyWindow extends EventEmitter {
  destroyed: boolean;
  close(): void;
}
export const windows: AnyWindow[] = [];
