import { useRef, type DragEvent } from 'react';
import type { UploadRow } from '../../../../shared/models/stalled.ts';
import { dragsFiles, droppedFile, type DropOutcome } from '../../../ui/drop/file-drop.ts';

/** The header is row 1 of the grid. */
const firstRow = 2;

/** Makes the table's rows drop targets for files, and highlights the row under the pointer. */
export function useRowDrop(
  rowOf: (index: number) => UploadRow | null,
  onDropped: (row: UploadRow, dropped: DropOutcome) => void,
) {
  const marked = useRef<Element | null>(null);
  const mark = (element: Element | null): void => {
    if (marked.current === element) return;
    marked.current?.removeAttribute('data-drop');
    element?.setAttribute('data-drop', 'true');
    marked.current = element;
  };
  const under = (event: DragEvent): { readonly element: Element; readonly row: UploadRow } | null => {
    const element = event.target instanceof Element ? event.target.closest('[role="row"]') : null;
    const index = Number(element?.getAttribute('aria-rowindex') ?? 0) - firstRow;
    const row = index < 0 ? null : rowOf(index);
    return element === null || row === null ? null : { element, row };
  };
  return {
    onDragOver: (event: DragEvent) => {
      if (!dragsFiles(event)) return;
      const found = under(event);
      mark(found?.element ?? null);
      if (found === null) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'copy';
    },
    onDragLeave: (event: DragEvent) => {
      if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)))
        mark(null);
    },
    onDrop: (event: DragEvent) => {
      mark(null);
      if (!dragsFiles(event)) return;
      const found = under(event);
      if (found === null) return;
      event.preventDefault();
      onDropped(found.row, droppedFile(event.dataTransfer));
    },
  };
}
