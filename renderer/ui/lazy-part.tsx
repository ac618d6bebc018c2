import { lazy, memo, Suspense, type ComponentType } from 'react';

/** Returns a component that is loaded when it is first rendered, and shows nothing until then. */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  const Loaded: ComponentType<Props> = lazy(async () => ({ default: await load() }));
  return memo(function LazyPart(props: Props) {
    return (
      <Suspense fallback={null}>
        <Loaded {...props} />
      </Suspense>
    );
  });
}
