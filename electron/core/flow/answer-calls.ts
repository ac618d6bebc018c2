import { parentPort } from 'node:worker_threads';
import type { AppError } from '../../../shared/errors.ts';

/** A call of a method of one of the objects in a thread. */
export interface MethodCall {
  readonly id: number;
  /** Names the object. */
  readonly target: string;
  readonly method: PropertyKey;
  readonly input: unknown;
}

export type MethodResponse =
  | { readonly id: number; readonly kind: 'done'; readonly output: unknown }
  | { readonly id: number; readonly kind: 'failed'; readonly error: AppError };

/** Answers the calls of an `ObjectThread`. Runs in the thread. `errorOf` may load the code that converts errors. */
export function answerCalls(
  outputOf: (call: MethodCall) => unknown,
  errorOf: (thrown: unknown, call: MethodCall) => Promise<AppError>,
): void {
  const port = parentPort;
  if (port === null) throw new Error('This module runs as a worker thread only.');
  const respond = (response: MethodResponse, transferList: readonly ArrayBuffer[] = []): void =>
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the target is the main thread, not a window
    port.postMessage(response, [...transferList]);
  const answer = async (call: MethodCall): Promise<void> => {
    const { id } = call;
    try {
      const output = await outputOf(call);
      respond({ id, kind: 'done', output }, buffersOf(output));
    } catch (thrown) {
      respond({ id, kind: 'failed', error: await errorOf(thrown, call) });
    }
  };
  port.on('message', (call: MethodCall) => void answer(call));
}

/** Returns the buffers of the byte arrays in a message, to transfer them. */
export function buffersOf(message: unknown): readonly ArrayBuffer[] {
  if (typeof message !== 'object' || message === null) return [];
  const buffers = Object.values(message)
    .flat()
    .map((value: unknown) => (value instanceof Uint8Array ? value.buffer : null));
  return buffers.filter((buffer) => buffer instanceof ArrayBuffer);
}
