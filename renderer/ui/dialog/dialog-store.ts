import { create } from 'zustand';

export interface Opened<Request> {
  /** Null while closed. */
  readonly request: Request | null;
  /** A number that grows with each opening. As a React key, it resets the dialog's state. */
  readonly serial: number;
}

export type DialogStore<Request> = ReturnType<typeof dialogStore<Request>>;

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
