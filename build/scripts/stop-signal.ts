const parentCheckMs = 250;

/**
 * Returns a signal that aborts when the program should end: Ctrl-C, SIGTERM, a closed terminal, or the end of the shell that npm
 * puts between itself and this process (npm signals that shell, which exits without forwarding the signal).
 */
export function stopSignal(): AbortSignal {
  const stopped = new AbortController();
  const stop = (): void => {
    stopped.abort();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop).once('SIGHUP', stop);
  if (process.env['npm_lifecycle_event'] !== undefined && process.platform !== 'win32') {
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) stop();
    }, parentCheckMs).unref();
  }
  return stopped.signal;
}

/**
 * Waits for the signal, closes `running`, and exits the process. Remaining timers or the terminal would otherwise keep an idle
 * process alive.
 */
export async function endOn(stop: AbortSignal, running: { close(): Promise<void> }): Promise<never> {
  if (!stop.aborted)
    await new Promise((resolve) => {
      stop.addEventListener('abort', resolve, { once: true });
    });
  await running.close();
  process.exit(0);
}
