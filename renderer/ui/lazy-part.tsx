import { lazy, memo, Suspense, type ComponentType } from 'react';

type Load<Props> = () => Promise<ComponentType<Props>>;

/** Returns a component whose code is loaded when it is first rendered. It suspends until then. */
export function lazyComponent<Props extends object>(load: Load<Props>): ComponentType<Props> {
  return lazy(async () => ({ default: await loadAgain(load) }));
}

/** Returns a component whose code is loaded when it is first rendered. It shows nothing until then. */
export function lazyPart<Props extends object>(load: Load<Props>) {
  const Loaded = lazyComponent(load);
  return memo(function LazyPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    );
  });
}

interface Retry {
  /** Returns whether the program that serves the window responds. */
  readonly isReachable: () => Promise<boolean>;
  readonly pause: () => Promise<void>;
}

const pauseMs = 1000;

const browserRetry: Retry = {
  isReachable: () =>
    fetch('/', { method: 'HEAD' }).then(
      () => true,
      () => false,
    ),
  pause: () =>
    new Promise((resolve) => {
      setTimeout(resolve, pauseMs);
    }),
};

/** Loads code. While the program that serves it is unreachable, waits for it instead of failing. */
export async function loadAgain<T>(load: () => Promise<T>, retry: Retry = browserRetry): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      // The program may have become reachable since the failure, so only the next attempt may fail.
      if (await retry.isReachable()) return await load();
      await retry.pause();
    }
  }
}
