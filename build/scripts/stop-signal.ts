const parentCheckMs = 250;

/**
 * Aborts when the program is asked to end: Ctrl-C, SIGTERM, a closed terminal, or the end of the shell that npm put
 * between itself and this process (npm hands its signal to that shell, which dies of it without passing it on).
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
