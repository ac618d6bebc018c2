import { createContext, useContext } from 'react';
import type { ObjectRef } from '../../../shared/models/objects.ts';

/** What this feature needs of others; the application hands it in. */
export interface ViewerServices {
  /** Saves an object to this computer. */
  readonly download: (ref: ObjectRef) => void;
}

const Services = createContext<ViewerServices | null>(null);

export const ViewerServicesProvider = Services.Provider;

export function useViewerServices(): ViewerServices {
  const services = useContext(Services);
  if (services === null) throw new Error('No ViewerServicesProvider stands around the viewers.');
  return services;
}
