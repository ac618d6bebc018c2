import { createContext, use } from 'react';

/** True if the current pane receives the window's commands. */
export const ActivePane = createContext(true);

export function useIsActivePane(): boolean {
  return use(ActivePane);
}

/** The name of the current pane if there are two; null: there is one. */
export const PaneName = createContext<string | null>(null);

/** A name that tells the same part of two panes apart: for landmarks, whose names must differ. */
export function useNameInPane(name: string): string {
  const pane = use(PaneName);
  return pane === null ? name : `${name}, ${pane}`;
}
