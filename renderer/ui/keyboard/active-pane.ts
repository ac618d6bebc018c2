import { createContext, use } from 'react';

/** True if the current pane receives the window's commands. */
export const ActivePane = createContext(true);

export function useIsActivePane(): boolean {
  return use(ActivePane);
}

/** The name of the pane around a component, or null if the tab has only one pane. */
export const PaneName = createContext<string | null>(null);

/** Returns the name for a landmark, which includes the pane's name if the tab has two panes. */
export function useNameInPane(name: string): string {
  const pane = use(PaneName);
  return pane === null ? name : `${name}, ${pane}`;
}
