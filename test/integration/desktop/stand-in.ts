import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';

export interface Recorded {
  readonly call: string;
  readonly args: readonly unknown[];
}

export interface Report {
  readonly record: readonly Recorded[];
  readonly userData: string;
  readonly exitStatus?: number;
  readonly navigation: Readonly<Record<string, Readonly<Record<string, 'refused' | 'let'>>>>;
  readonly download: { readonly state: string; readonly exists: boolean };
  /** The response to a file without a path, whose bytes were sent to the core as the window sends them. */
  readonly sentCopy: { readonly status: number; readonly text: string };
  readonly saved: { readonly isSaved: boolean; readonly text: string };
  readonly windowOpen: Readonly<Record<string, string>>;
  readonly permissions: Readonly<Record<string, unknown>>;
  readonly requests: readonly string[];
  readonly scheme: Readonly<
    Record<
      string,
      { readonly status: number; readonly headers: Record<string, string>; readonly body: string }
    >
  >;
  readonly channels: readonly string[];
  readonly refused: Readonly<Record<string, unknown>>;
  readonly droppedByOthers: Readonly<Record<string, unknown>>;
  readonly preload: {
    readonly surface: Readonly<Record<string, readonly string[]>>;
    readonly required: readonly string[];
    readonly sent: readonly unknown[];
    readonly dropped: Readonly<Record<string, unknown>>;
    readonly info: Readonly<Record<string, unknown>>;
    readonly connections: readonly { readonly builtIn: boolean }[];
    readonly buckets: readonly { readonly name: string }[];
    readonly page: { readonly commonPrefixes: readonly string[]; readonly objects: readonly unknown[] };
    readonly made: { readonly auth: Readonly<Record<string, unknown>> };
  };
  readonly control: unknown;
}

export interface StandInOptions {
  readonly dataDir: string;
  readonly storageBackend?: string;
  readonly keyring?: 'refused' | 'locked';
  /** The index of the button to press in message boxes. */
  readonly messageBoxAnswer?: number;
  /** A folder with another build of main process and preload. */
  readonly dist?: string;
  /** The folder of the program's resources, if it is packaged; then `version` is its version. */
  readonly resourcesPath?: string;
  readonly version?: string;
  readonly unfocused?: boolean;
  /** The system's proxy rules, as in a PAC file. */
  readonly proxy?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The script to run in place of run-desktop.ts. */
  readonly play?: string;
  /** The arguments after the program's name. */
  readonly args?: readonly string[];
}

export const secret = 'a-secret-that-must-not-be-seen';

const folder = new URL('../../support/electron-stand-in/', import.meta.url);

/** Runs the built main process and preload on the stand-in for Electron and returns the result. */
export async function runDesktop(
  options: StandInOptions,
): Promise<{ readonly status: number | null; readonly output: string; readonly report: Report | null }> {
  const { dataDir, dist, args = [], env = {}, play = 'run-desktop.ts', ...rest } = options;
  const connection = {
    name: 'Mine',
    provider: 'custom',
    endpoint: 'https://storage.example',
    region: 'us-east-1',
    addressing: 'path',
    caPem: null,
    proxy: { kind: 'system' },
    start: null,
    auth: { kind: 'keys', accessKeyId: 'KEY', secretAccessKey: secret, sessionToken: null },
  };
  const child = spawn(
    process.execPath,
    [
      '--import',
      new URL('register.ts', folder).href,
      fileURLToPath(new URL(play, folder)),
      ...args,
      '--data-dir',
      dataDir,
    ],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        COOPER_TEST_DATA: dataDir,
        ...(dist === undefined ? {} : { COOPER_TEST_DIST: pathToFileURL(`${dist}/`).href }),
        COOPER_TEST_CONNECTION: JSON.stringify(connection),
        COOPER_SAMPLE_LOGS: '10',
        // Clears proxy variables, because only then is the system asked for its proxy.
        ...Object.fromEntries(
          ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].map((name) => [name, '']),
        ),
        ...env,
        STAND_IN: JSON.stringify(rest),
      },
      timeout: 60_000,
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const [status] = (await once(child, 'close')) as [number | null];
  const line = /^REPORT (.*)$/m.exec(output)?.[1];
  return { status, output, report: line === undefined ? null : (JSON.parse(line) as Report) };
}
