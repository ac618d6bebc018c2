import { createContext, useContext } from 'react';
import type { FileEntry } from '../../../../shared/models/files.ts';
import type { UploadRef } from '../../../../shared/models/stalled.ts';

/** The functions that this feature needs from others. `renderer/app` passes them in. */
export interface UploadServices {
  /** null: the user closed the picker. */
  readonly pickFile: (title: string) => Promise<FileEntry | null>;
  readonly pickFolder: (title: string) => Promise<FileEntry | null>;
  /** Opens the transfers; with an id, at this job. */
  readonly showJobs: (jobId?: string) => void;
  /** Opens the folder of a key in the browser. */
  readonly showObject: (ref: UploadRef) => void;
}

const Services = createContext<UploadServices | null>(null);

export const UploadServicesProvider = Services.Provider;

export function useUploadServices(): UploadServices {
  const services = useContext(Services);
  if (services === null) throw new Error('UploadServicesProvider is missing above this component.');
  return services;
}
