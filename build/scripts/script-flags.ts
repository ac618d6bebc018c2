import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Script {
  readonly usage: string;
  /** Accepts arguments that are not flags. */
  readonly takesNames?: boolean;
}

/**
 * Returns the flags of a project script. For `--help`, prints the usage and exits. For an unknown flag or a missing value, prints
 * the problem and the usage, and exits with status 2.
 */
export function scriptFlags<T extends Options>(script: Script, options: T) {
  const read = readFlags(script, options, process.argv.slice(2));
  if ('flags' in read) return read.flags;
  (read.status === 0 ? console.log : console.error)(read.text);
  return process.exit(read.status);
}

/** Like `scriptFlags` without side effects: returns the flags, or the text to print and the exit status. */
export function readFlags<T extends Options>(
  { usage, takesNames = false }: Script,
  options: T,
  args: readonly string[],
) {
  if (args.includes('--help')) return { text: usage, status: 0 };
  try {
    const flags = parseArgs({ args: [...args], options, allowPositionals: true });
    const [name] = flags.positionals;
    if (name === undefined || takesNames) return { flags };
    return { text: `Unexpected argument '${name}'.\n${usage}`, status: 2 };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return { text: `${withoutAdvice(thrown.message)}.\n${usage}`, status: 2 };
  }
}

function isRefusal(thrown: unknown): thrown is Error {
  return (
    thrown instanceof Error &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    thrown.code.startsWith('ERR_PARSE_ARGS_')
  );
}

/** Removes Node's advice on arguments that begin with a dash, because these scripts accept none. */
function withoutAdvice(message: string): string {
  return message.replace(/\. To specify .*$/su, '');
}
