import { createContext, useContext } from 'react';
import type { Place } from '../../../../shared/models/objects.ts';
import type { Job } from '../../../../shared/models/jobs.ts';

/** The functions of other features that this feature uses. `renderer/app` passes them in. */
export interface JobServices {
  readonly editConnection: (connectionId: string) => void;
  readonly openUpload: (job: Job) => void;
  readonly showObject: (job: Job) => void;
  readonly showFolder: (place: Place & { readonly folder: string }) => void;
}

const Services = createContext<JobServices | null>(null);

export const JobServicesProvider = Services.Provider;

export function useJobServices(): JobServices {
  const services = useContext(Services);
  if (services === null) throw new Error('JobServicesProvider is missing above this component.');
  return services;
}
