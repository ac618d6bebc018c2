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

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve, { once: true });
  });
}
