import { parseArgs } from 'node:util';
import { isS3Link, parseS3Link } from '../../shared/keys/s3-link.ts';
import { exitUsage, StartProblem } from './problem.ts';
import { text } from './text.ts';

export interface Flags {
  /** The host to start. `auto` means Electron if it is installed, otherwise the browser host. */
  readonly host: 'auto' | 'desktop' | 'browser';
  /** The port to use; 0 chooses a free one. */
  readonly port: number;
  readonly open: boolean;
  /** The data folder; null for the default one. */
  readonly dataDir: string | null;
  readonly help: boolean;
  /** An `s3://` address to open; null for none. */
  readonly link: string | null;
}

const serviceOptions = {
  port: { type: 'string' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

const options = {
  desktop: { type: 'boolean' },
  browser: { type: 'boolean' },
  'no-open': { type: 'boolean' },
  ...serviceOptions,
} as const;

/** The command that help texts show in a checkout. An installed command shows its own name. */
export const startCommand = 'npm start --';

class FlagProblem extends Error {}

/** Parses the arguments of the start command. Throws a StartProblem with a sentence for the user if one is invalid. */
export function parseFlags(args: readonly string[], command: string = startCommand): Flags {
  return orExit(command, () => readFlags(args));
}

function orExit<T>(command: string, read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (!(thrown instanceof FlagProblem)) throw thrown;
    throw new StartProblem(text('flagProblem', { problem: thrown.message, command }), exitUsage, {
      cause: thrown,
    });
  }
}

function readFlags(args: readonly string[]): Flags {
  let link: string | null = null;
  const values = valuesIn(args, options, (word) => {
    if (link !== null || !isS3Link(word)) throw unusable(text('flagWord', { word }));
    if (parseS3Link(word) === null) throw unusable(text('linkUnusable', { link: word }));
    link = word;
  });

  const desktop = values['desktop'] === true;
  const browser = values['browser'] === true;
  const noOpen = values['no-open'] === true;
  const port = portIn(values);

  if (desktop && browser) throw exclusive('--desktop', '--browser');
  if (desktop && port !== null) throw exclusive('--desktop', '--port');
  if (desktop && noOpen) throw exclusive('--desktop', '--no-open');
  const dataDir = dataDirIn(values);

  // `--port` and `--no-open` only make sense for the browser host.
  const host = desktop ? 'desktop' : browser || port !== null || noOpen ? 'browser' : 'auto';
  return { host, port: port ?? 0, open: !noOpen, dataDir, help: values['help'] === true, link };
}

/** The command that starts only the object storage. */
export const serviceCommand = 'cooper service';

/** Parses the arguments of the object storage. Throws a StartProblem for an unknown argument or an empty folder name. */
export function parseServiceFlags(args: readonly string[]): Pick<Flags, 'port' | 'dataDir' | 'help'> {
  return orExit(serviceCommand, () => {
    const values = valuesIn(args, serviceOptions, (word) => {
      throw unusable(text('flagWord', { word }));
    });
    return { dataDir: dataDirIn(values), port: portIn(values) ?? 0, help: values['help'] === true };
  });
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the values of the known flags. Calls `onWord` with each argument that is not a flag. */
function valuesIn(args: readonly string[], known: Known, onWord: (word: string) => void): Values {
  const { values, tokens } = parseArgs({
    args: [...args],
    options: known,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });
  for (const token of tokens) {
    if (token.kind === 'option') refuseUnusable(token, known);
    if (token.kind === 'positional') onWord(token.value);
  }
  return values;
}

function dataDirIn({ 'data-dir': dir }: Values): string | null {
  if (typeof dir !== 'string') return null;
  if (dir.trim() === '') throw unusable(text('dataDirEmpty'));
  return dir;
}

interface OptionToken {
  readonly name: string;
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

type Known = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

/** Throws if a flag is unknown, lacks its value, or has a value although it takes none. */
function refuseUnusable(token: OptionToken, known: Known): void {
  const option = Object.hasOwn(known, token.name) ? known[token.name] : undefined;
  if (option === undefined) throw unusable(text('flagUnknown', { flag: token.rawName }));
  if (option.type === 'string' && isMissing(token.value, token.inlineValue)) {
    throw unusable(text('flagNeedsValue', { flag: token.rawName }));
  }
  if (option.type === 'boolean' && token.value !== undefined)
    throw unusable(text('flagTakesNoValue', { flag: token.rawName }));
}

/** Returns true if the value of a flag is missing. In `--port --browser`, parseArgs would take the second flag as the value. */
function isMissing(value: string | undefined, inline: boolean | undefined): boolean {
  return value === undefined || (inline !== true && value.startsWith('--'));
}

function portIn({ port: value }: Values): number | null {
  if (typeof value !== 'string') return null;
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (!(port >= 0 && port <= 65_535)) throw unusable(text('portUnusable', { value }));
  return port;
}

function exclusive(first: string, second: string): FlagProblem {
  return unusable(text('flagsExclude', { first, second }));
}

function unusable(problem: string): FlagProblem {
  return new FlagProblem(problem);
}
