import { createContext, useContext } from 'react';
import type { Edit } from '../../../../shared/models/edits.ts';
import type { ObjectRef } from '../../../../shared/models/objects.ts';

/** Functions of other features, passed in by the application. */
export interface ViewerServices {
  /** Saves an object to this computer. */
  readonly download: (ref: ObjectRef) => void;
  /** Prepares the saves of an edited text that was made from the object with this ETag. */
  readonly editText: (ref: ObjectRef, etag: string) => TextEdit;
}

/** The saves of one editor. */
export interface TextEdit {
  /** Stores the text on disk and uploads it. Rejects if the text is only in the window. */
  readonly save: (bytes: Uint8Array<ArrayBuffer>) => Promise<Edit>;
  /** Overwrites another client's version with the last saved text. */
  readonly overwrite: () => Promise<Edit | null>;
  /** Removes the copy on disk, including text that has not reached the bucket. */
  readonly discard: () => Promise<void>;
  /** Ends editing when the editor closes. Removes a copy that the bucket has; for any other copy, a notice asks the user. */
  readonly end: () => void;
}

const Services = createContext<ViewerServices | null>(null);

export const ViewerServicesProvider = Services.Provider;

export function useViewerServices(): ViewerServices {
  const services = useContext(Services);
  if (services === null) throw new Error('The viewers need a ViewerServicesProvider around them.');
  return services;
}
