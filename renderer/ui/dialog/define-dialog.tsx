import { memo, type ComponentType } from 'react';
import { lazyPart } from '../lazy-part.tsx';
import { dialogStore } from './dialog-store.ts';

interface DialogProps<Request> {
  /** The argument of `open`. */
  readonly request: Request;
  readonly onClose: () => void;
}

/**
 * Defines a dialog that any component can open, and that is loaded when it first opens. The application mounts `Mounted` once, with
 * the functions of other features that the dialog needs.
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
