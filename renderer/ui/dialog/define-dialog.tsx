import { type ComponentType, memo, useEffect } from 'react';
import { create } from 'zustand';
import { lazyPart } from '../lazy-part.tsx';

interface Opened<Request> {
  /** Null while closed. */
  readonly request: Request | null;
  /** A number that grows with each opening. As a React key, it resets the dialog's state. */
  readonly serial: number;
}

type DialogStore<Request> = ReturnType<typeof dialogStore<Request>>;

/** Creates a store for a dialog that can be opened from anywhere. One component renders the dialog by following `useOpened`. */
export function dialogStore<Request>() {
  const useOpened = create<Opened<Request>>()(() => ({ request: null, serial: 0 }));
  return {
    open: (request: Request): void => useOpened.setState(({ serial }) => ({ request, serial: serial + 1 })),
    close: (): void => useOpened.setState({ request: null }),
    current: (): Request | null => useOpened.getState().request,
    useOpened,
  };
}

export interface DialogProps<Request> {
  /** The argument of `open`. */
  readonly request: Request;
  readonly onClose: () => void;
}

type Load<Request, Services> = () => Promise<ComponentType<Services & DialogProps<Request>>>;

/**
 * Defines a dialog that any component can open and whose code is loaded on first use. The application mounts `Mounted` once, with
 * the functions that the dialog needs from other features. Pass a store if files that the dialog imports open or close it.
 */
export function defineDialog<Request, Services extends object = object>(
  load: Load<Request, Services>,
  store: DialogStore<Request> = dialogStore<Request>(),
) {
  const { open, close, useOpened } = store;
  const Loaded: ComponentType<Services & DialogProps<Request>> = lazyPart(load);
  const Mounted = memo(function OpenedDialog(services: Services) {
    const { request, serial } = useOpened();
    return request === null ? null : <Loaded key={serial} {...services} request={request} onClose={close} />;
  });
  return { open, Mounted };
}

interface KindOptions<Request, Services> {
  readonly store: DialogStore<Request>;
  /** Called in the frame after a dialog closes, unless another dialog of this store has replaced it. */
  readonly afterClose?: (services: Services) => void;
}

/**
 * Defines dialogs of several kinds, of which one at a time is open. The code of each kind is loaded on its first use. The
 * application mounts the returned component once.
 */
export function defineDialogs<Request extends { readonly kind: string }, Services extends object = object>(
  loads: { readonly [Kind in Request['kind']]: Load<Extract<Request, { kind: Kind }>, Services> },
  { store, afterClose }: KindOptions<Request, Services>,
): ComponentType<Services> {
  const { close, useOpened } = store;
  // The component of a kind only receives requests of that kind, which the type of `loads` ensures.
  const parts = new Map<string, ComponentType<Services & DialogProps<Request>>>(
    Object.entries(loads as Readonly<Record<string, Load<Request, Services>>>).map(([kind, load]) => [
      kind,
      lazyPart(load),
    ]),
  );
  return memo(function OpenedDialogs(services: Services) {
    const { request, serial } = useOpened();
    const isOpen = request !== null;
    useEffect(() => {
      if (!isOpen || afterClose === undefined) return undefined;
      return () => {
        requestAnimationFrame(() => afterClose(services));
      };
      // oxlint-disable-next-line react-hooks/exhaustive-deps, react/exhaustive-effect-dependencies -- only when a dialog closes
    }, [isOpen]);
    const Part = request === null ? undefined : parts.get(request.kind);
    return request === null || Part === undefined ? null : (
      <Part key={serial} {...services} request={request} onClose={close} />
    );
  });
}
