import type { Logger } from '../core/ports.ts';

/**
 * Errors that nobody caught: each is logged, the first is told, and the program goes on. What it was about to do is on disk
 * before it is done, so nothing is lost with the call that failed. Returns the way to end it.
 */
export function guardProcess(
  options: { readonly logger: Logger; readonly tell: () => void },
  target: NodeJS.EventEmitter = process,
): () => void {
  let wasTold = false;
  const onError = (thrown: unknown): void => {
    options.logger.error('An error that nobody expected.', { err: thrown });
    if (wasTold) return;
    wasTold = true;
    options.tell();
  };
  target.on('uncaughtException', onError).on('unhandledRejection', onError);
  return () => {
    target.off('uncaughtException', onError).off('unhandledRejection', onError);
  };
}
