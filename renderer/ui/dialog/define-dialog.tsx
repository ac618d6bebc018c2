import { memo, type ComponentType } from 'react';
import { lazyPart } from '../lazy-part.tsx';
import { dialogStore } from './dialog-store.ts';

interface DialogProps<Request> {
  /** The argument of `open`. */
  readonly request: Request;
  readonly onClose: () => void;
}

/**
 * Defines a dialog that any component can open and whose code is loaded on first use. The application mounts `Mounted` once, with
 * the functions that the dialog needs from other features.
 */
export function defineDialog<Request, Services extends object = object>(
  load: () => Promise<ComponentType<Services & DialogProps<Request>>>,
) {
  const { open, close, useOpened } = dialogStore<Request>();
  const Loaded: ComponentType<Services & DialogProps<Request>> = lazyPart(load);
  const Mounted = memo(function OpenedDialog(services: Services) {
    const { request, serial } = useOpened();
    return request === null ? null : <Loaded key={serial} {...services} request={request} onClose={close} />;
  });
  return { open, Mounted };
}
