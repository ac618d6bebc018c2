import { exitUsage, StartProblem } from '../../electron/host/problem.ts';
import { text } from '../../electron/host/text.ts';
import type { HostMessage } from '../../electron/host/text.ts';
import { obtainElectron } from './electron/electron-binary.ts';
import { runElectron } from './run-electron.ts';

export interface DesktopStart {
  readonly root: string;
  readonly dataDir: string;
  readonly link: string | null;
  /** True if --desktop was given. It is then an error if Electron cannot run; otherwise the browser is used. */
  readonly isDesktopRequired: boolean;
  readonly print: (line: string) => void;
  /** Aborting it also ends Electron. */
  readonly stop: AbortSignal;
}

/** Runs Electron until it exits. If Electron cannot run, prints the reason and returns false, so that the browser is used. */
export async function runDesktop(options: DesktopStart): Promise<boolean> {
  const binary = await obtainElectron(options.root, {
    insist: options.isDesktopRequired,
    onFetch: (bytesDone) => {
      options.print(
        bytesDone === 0
          ? text('electronFetching')
          : text('electronFetched', { mebibytes: Math.floor(bytesDone / 1024 ** 2) }),
      );
    },
  });
  if (binary.kind === 'missing') {
    return decline(options, 'electronMissing', 'electronMissingForDesktop', binary.reason);
  }
  const failureReason = await runElectron(binary.file, options);
  return failureReason === null
    ? true
    : decline(options, 'electronFailed', 'electronFailedForDesktop', failureReason);
}

function decline(
  options: DesktopStart,
  fallbackMessage: HostMessage,
  errorMessage: HostMessage,
  reason: string,
): false {
  if (options.isDesktopRequired) throw new StartProblem(text(errorMessage, { reason }), exitUsage);
  options.print(text(fallbackMessage, { reason }));
  return false;
}
