import { useLayoutEffect, useRef, useState, type RefObject } from 'react';

export interface RowFocus {
  readonly focusedId: string | null;
  /** The rendered rows by id. */
  readonly elements: RefObject<Map<string, HTMLElement>>;
  readonly onFocus: (rowId: string) => void;
  /** Focuses a row. A row that is not rendered yet is focused once it is. */
  readonly focus: (rowId: string) => void;
}

/** Tracks which row of the tree has focus. The tree renders the row with this id, wherever the user has scrolled to. */
export function useRowFocus(): RowFocus {
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const elements = useRef(new Map<string, HTMLElement>());
  const awaited = useRef<string | null>(null);
  useLayoutEffect(() => {
    const element = awaited.current === null ? undefined : elements.current.get(awaited.current);
    if (element === undefined) return;
    awaited.current = null;
    element.focus();
  });
  const focus = (rowId: string): void => {
    setFocusedId(rowId);
    const element = elements.current.get(rowId);
    awaited.current = element === undefined ? rowId : null;
    element?.focus();
  };
  return { focusedId, elements, onFocus: setFocusedId, focus };
}
