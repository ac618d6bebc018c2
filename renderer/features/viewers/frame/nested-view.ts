import { createContext, useContext, type ReactNode } from 'react';
import type { ViewedFile } from './viewer.ts';

export interface FileViewProps {
  readonly file: ViewedFile;
  /** null: it cannot be saved separately. */
  readonly onDownload: (() => void) | null;
}

const NestedView = createContext<((props: FileViewProps) => ReactNode) | null>(null);

/** Tells the viewers below what draws a file that one of them has found inside its own. */
export const NestedViewProvider = NestedView.Provider;

/** Draws a file with the matching viewer. Viewers cannot import the registry that lists them. */
export function useNestedView(): (props: FileViewProps) => ReactNode {
  const found = useContext(NestedView);
  if (found === null) throw new Error('A viewer is drawn outside of FileView.');
  return found;
}
