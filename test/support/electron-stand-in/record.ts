import type { EventEmitter } from 'node:events';

/** One recorded call of the program. All modules of the stand-in share the record and the setup. */
export interface Recorded {
  readonly call: string;
  readonly args: readonly unknown[];
}

export const record: Recorded[] = [];
export const note = (call: string, ...args: unknown[]): void => {
  record.push({ call, args });
};

type Handler = (...args: never[]) => unknown;
/** The callbacks that the program passed, by the name of the receiving method. */
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
  /**
   * The state of the keyring. `refused`: the user denied access. `locked`: it is not unlocked yet, so Chromium uses another
   * provider of keys.
   */
  keyring?: 'refused' | 'locked';
  messageBoxAnswer?: number;
  /** The folder of the program's resources, if it is packaged. */
  resourcesPath?: string;
  version?: string;
  /** True if no window of the program has focus. */
  unfocused?: boolean;
  /** The languages of the system, with the preferred language first. */
  languages?: readonly string[];
  /** The accent colour as `rrggbbaa`. With `none`, reading it fails. */
  accent?: string;
  /** The system's proxy rules for every address, as in a PAC file. */
  proxy?: string;
  /** True if another process holds Electron's lock on the same folder. */
  isSecond?: boolean;
}

/** The simulated system. Tests in the same process may change it. */
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

/** A window, as far as `app` needs it. Defined here, because the modules of app and windows need each other. */
export interface AnyWindow extends EventEmitter {
  destroyed: boolean;
  close(): void;
}
export const windows: AnyWindow[] = [];
