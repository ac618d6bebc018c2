import { useRef, useState, type DragEvent } from 'react';
import { failure, type AppError } from '../../../shared/errors.ts';

export type Taking =
  | { readonly kind: 'idle' }
  | {
      readonly kind: 'running';
      readonly name: string;
      readonly sentBytes: number;
      readonly sizeBytes: number;
    }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'failed'; readonly error: AppError };

export interface DroppedFiles {
  readonly taking: Taking;
  readonly take: (outcome: DropOutcome) => void;
  readonly stop: () => void;
  /** Clears the dropped file or its error. Call it when another file is chosen. */
  readonly forget: () => void;
}

export type DropOutcome =
  { readonly kind: 'file'; readonly file: File } | { readonly kind: 'refused'; readonly error: AppError };

export interface FileDrop {
  /** True while a file is dragged over the element. */
  readonly isOver: boolean;
  readonly handlers: {
    readonly onDragEnter: (event: DragEvent) => void;
    readonly onDragOver: (event: DragEvent) => void;
    readonly onDragLeave: (event: DragEvent) => void;
    readonly onDrop: (event: DragEvent) => void;
  };
}

/** Returns true if system files are dragged, not rows of the page. */
export function dragsFiles(event: { readonly dataTransfer: DataTransfer | null }): boolean {
  return event.dataTransfer?.types.includes('Files') === true;
}

/** Returns the dropped file. Refuses a folder, or several files. */
export function droppedFile(data: DataTransfer): DropOutcome {
  const [file, ...others] = data.files;
  const isFolder = [...data.items].some((item) => item.webkitGetAsEntry()?.isDirectory === true);
  if (file === undefined || isFolder || others.length > 0) {
    const reason = others.length > 0 ? 'drop-many' : 'drop-not-a-file';
    const { error } = failure('invalid-argument', 'One file is wanted.', { reason, retry: 'after-fix' });
    return { kind: 'refused', error };
  }
  return { kind: 'file', file };
}

/** Lets one file be dropped on an element. Keyboard users have the button next to it. */
export function useFileDrop(onDropped: (outcome: DropOutcome) => void, enabled = true): FileDrop {
  const [isOver, setOver] = useState(false);
  // Counts nested enter and leave events, which children fire as well.
  const depth = useRef(0);
  const accept = (event: DragEvent): boolean => {
    if (!enabled || !dragsFiles(event)) return false;
    event.preventDefault();
    return true;
  };
  return {
    isOver: isOver && enabled,
    handlers: {
      onDragEnter: (event) => {
        if (!accept(event)) return;
        depth.current += 1;
        setOver(true);
      },
      onDragOver: (event) => {
        if (accept(event)) event.dataTransfer.dropEffect = 'copy';
      },
      onDragLeave: (event) => {
        if (!dragsFiles(event)) return;
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) setOver(false);
      },
      onDrop: (event) => {
        depth.current = 0;
        setOver(false);
        if (accept(event)) onDropped(droppedFile(event.dataTransfer));
      },
    },
  };
}

function refuse(event: globalThis.DragEvent): void {
  if (event.defaultPrevented || !dragsFiles(event)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'none';
}

/** Ignores files dropped outside a drop target, which would otherwise replace the page. */
export function guardDrops(): void {
  window.addEventListener('dragover', refuse);
  window.addEventListener('drop', refuse);
}
