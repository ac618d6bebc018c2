import { parseArgs } from 'node:util';
import { isS3Link, parseS3Link } from '../../shared/keys/s3-link.ts';
import { exitUsage, StartProblem } from './problem.ts';
import { text } from './text.ts';

export interface Flags {
  /** `auto`: Electron where it can be had, otherwise the browser. */
  readonly host: 'auto' | 'desktop' | 'browser';
  /** 0 takes a free port. */
  readonly port: number;
  readonly open: boolean;
  /** null: the usual folder of this system. */
  readonly dataDir: string | null;
  readonly help: boolean;
  /** An `s3://` address to open; null: none was given. */
  readonly link: string | null;
}

const options = {
  desktop: { type: 'boolean' },
  browser: { type: 'boolean' },
  port: { type: 'string' },
  'no-open': { type: 'boolean' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

/** How `npm start` is told its flags; the installed command goes by its own name. */
export const startCommand = 'npm start --';

class FlagProblem extends Error {}

/** Reads the flags of the start command; throws a StartProblem with a sentence for anything that is not one. */
export function parseFlags(args: readonly string[], command: string = startCommand): Flags {
  try {
    return readFlags(args);
  } catch (thrown) {
    if (!(thrown instanceof FlagProblem)) throw thrown;
    throw new StartProblem(text('flagProblem', { problem: thrown.message, command }), exitUsage, {
      cause: thrown,
    });
  }
}

function readFlags(args: readonly string[]): Flags {
  const { values, tokens } = parseArgs({
    args: [...args],
    options,
    strict: false,
    tokens: true,
    allowPositionals: true,
  });

  let link: string | null = null;
  for (const token of tokens) {
    if (token.kind === 'positional') {
      if (link !== null || !isS3Link(token.value)) throw unusable(text('flagWord', { word: token.value }));
      if (parseS3Link(token.value) === null) throw unusable(text('linkUnusable', { link: token.value }));
      link = token.value;
      continue;
    }
    if (token.kind === 'option-terminator') continue;
    if (!Object.hasOwn(options, token.name)) throw unusable(text('flagUnknown', { flag: token.rawName }));
    const takesValue = options[token.name as keyof typeof options].type === 'string';
    if (takesValue && isMissing(token.value, token.inlineValue)) {
      throw unusable(text('flagNeedsValue', { flag: token.rawName }));
    }
    if (!takesValue && token.value !== undefined)
      throw unusable(text('flagTakesNoValue', { flag: token.rawName }));
  }

  const desktop = values.desktop === true;
  const browser = values.browser === true;
  const noOpen = values['no-open'] === true;
  const port = typeof values.port === 'string' ? readPort(values.port) : null;
  const dataDir = typeof values['data-dir'] === 'string' ? values['data-dir'] : null;

  if (desktop && browser) throw exclusive('--desktop', '--browser');
  if (desktop && port !== null) throw exclusive('--desktop', '--port');
  if (desktop && noOpen) throw exclusive('--desktop', '--no-open');
  if (dataDir?.trim() === '') throw unusable(text('dataDirEmpty'));

  // A port and an address without a window only make sense in the browser host.
  const host = desktop ? 'desktop' : browser || port !== null || noOpen ? 'browser' : 'auto';
  return { host, port: port ?? 0, open: !noOpen, dataDir, help: values.help === true, link };
}

/** `--port --browser`: parseArgs would take the next flag as the value. */
function isMissing(value: string | undefined, inline: boolean | undefined): boolean {
  return value === undefined || (inline !== true && value.startsWith('--'));
}

function readPort(value: string): number {
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
