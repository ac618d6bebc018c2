import { createContext, useContext, type ReactNode } from 'react';
import type { ViewedFile } from './viewer.ts';

export interface FileViewProps {
  readonly file: ViewedFile;
  /** Saves the nested file. Null if it cannot be saved separately. */
  readonly onDownload: (() => void) | null;
}

const NestedView = createContext<((props: FileViewProps) => ReactNode) | null>(null);

/** Provides the component that renders a file nested in another one. */
export const NestedViewProvider = NestedView.Provider;

/**
 * Returns the component that renders a file in the matching viewer. Viewers cannot import the registry, which imports all
 * viewers.
 */
export function useNestedView(): (props: FileViewProps) => ReactNode {
  const found = useContext(NestedView);
  if (found === null) throw new Error('A viewer is rendered outside of FileView.');
  return found;
}
