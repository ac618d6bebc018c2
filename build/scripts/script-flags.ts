import { parseArgs, type ParseArgsConfig } from 'node:util';

type Options = NonNullable<ParseArgsConfig['options']>;

interface Script {
  readonly usage: string;
  /** Accepts arguments that are not flags. */
  readonly takesNames?: boolean;
}

/**
 * The flags of a script of the project. `--help` prints the usage. A flag that there is not, or a value that is missing, is
 * named above it, and the script ends with status 2 before it has done anything.
 */
export function scriptFlags<T extends Options>(script: Script, options: T) {
  const read = readFlags(script, options, process.argv.slice(2));
  if ('flags' in read) return read.flags;
  (read.status === 0 ? console.log : console.error)(read.text);
  return process.exit(read.status);
}

/** The same without an effect: the flags, or what is printed, and the status of the script's end. */
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

/** On how an argument is written that begins with a dash: there is none here. */
function withoutAdvice(message: string): string {
  return message.replace(/\. To specify .*$/su, '');
}
