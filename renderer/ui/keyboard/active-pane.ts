import { createContext, use } from 'react';

/** True if the current pane receives the window's commands. */
export const ActivePane = createContext(true);

export function useIsActivePane(): boolean {
  return use(ActivePane);
}

/** Returns the name of the current pane if there are two; null: there is one. */
export const PaneName = createContext<string | null>(null);

/** Returns a name that distinguishes the same part of two panes: names of landmarks must be unique. */
export function useNameInPane(name: string): string {
  const pane = use(PaneName);
  return pane === null ? name : `${name}, ${pane}`;
}
