import { failure } from '../../../shared/errors.ts';

/** The bytes behind a ticket, as they are. */
export async function fetchBytes(path: string, signal: AbortSignal): Promise<ArrayBuffer> {
  let response: Response;
  try {
    response = await fetch(path, { signal, cache: 'no-store' });
  } catch (thrown) {
    if (signal.aborted) throw thrown;
    throw failure('disconnected', 'The bytes could not be fetched.', { retry: 'backoff', cause: thrown });
  }
  if (!response.ok)
    throw failure('server', `The bytes could not be fetched (HTTP ${String(response.status)}).`, {
      retry: 'backoff',
    });
  return response.arrayBuffer();
}
