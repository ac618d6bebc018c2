import { createContext, useContext } from 'react';
import type { Edit } from '../../../../shared/models/edits.ts';
import type { ObjectRef } from '../../../../shared/models/objects.ts';

/** Functions of other features, passed in by the application. */
export interface ViewerServices {
  /** Saves an object to this computer. */
  readonly download: (ref: ObjectRef) => void;
  /** Saves of a text that is edited, made from the object with this ETag. */
  readonly editText: (ref: ObjectRef, etag: string) => TextEdit;
}

/** The saves of one editor. */
export interface TextEdit {
  /** Keeps the text on disk and sends it. A rejection: it is only in the window. */
  readonly save: (bytes: Uint8Array<ArrayBuffer>) => Promise<Edit>;
  /** Puts the text that was saved last over what another has written. */
  readonly overwrite: () => Promise<Edit | null>;
  /** Removes the copy on disk, with what of it has not reached the bucket. */
  readonly discard: () => Promise<void>;
  /** The editor is gone: a copy that the bucket has is removed, and of another one a notice asks from now on. */
  readonly end: () => void;
}

const Services = createContext<ViewerServices | null>(null);

export const ViewerServicesProvider = Services.Provider;

export function useViewerServices(): ViewerServices {
  const services = useContext(Services);
  if (services === null) throw new Error('The viewers need a ViewerServicesProvider around them.');
  return services;
}
