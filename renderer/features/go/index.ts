import { createContext, useContext } from 'react';
import type { Place } from '../../../shared/models/objects.ts';
import type { UploadRef } from '../../../shared/models/stalled.ts';

/** The moves that a feature asks the window for, since only the window knows its panes and the features above. */
export interface Go {
  /** Opens a folder in the active pane. */
  readonly openFolder: (place: Place & { readonly folder: string }) => void;
  /** Shows the facts about a stalled upload. */
  readonly openUpload: (upload: UploadRef) => void;
}

const GoContext = createContext<Go | null>(null);

export const GoProvider = GoContext.Provider;

/** Returns the window's moves. They never change. */
export function useGo(): Go {
  const go = useContext(GoContext);
  if (go === null) throw new Error('GoProvider is missing above this component.');
  return go;
}
