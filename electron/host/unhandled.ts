import type { Logger } from '../core/ports.ts';

/**
 * Handles uncaught errors: logs each, reports the first through `tell`, and keeps the program running. Jobs are on disk before
 * they run, so only the failed call is lost. Returns a function that removes the handlers.
 */
export function guardProcess(
  options: { readonly logger: Logger; readonly tell: () => void },
  target: NodeJS.EventEmitter = process,
): () => void {
  let wasReported = false;
  const onError = (thrown: unknown): void => {
    options.logger.error('Unexpected error.', { err: thrown });
    if (wasReported) return;
    wasReported = true;
    options.tell();
  };
  target.on('uncaughtException', onError).on('unhandledRejection', onError);
  return () => {
    target.off('uncaughtException', onError).off('unhandledRejection', onError);
  };
}
