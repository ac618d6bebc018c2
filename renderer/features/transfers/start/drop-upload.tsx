import { Button, Loader, Text } from '@mantine/core';
import { type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../../shared/keys/paths.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { formatBytes } from '../../../ui/words/format.ts';
import {
  type DroppedItem,
  droppedItemsOf,
  takeDroppedMany,
  type TakeProgress,
} from '../../../rpc/dropped-files.ts';
import { useIsActivePane } from '../../../ui/keyboard/panes.ts';
import { dropPlaceUnder } from '../../../ui/drop/drop-place.ts';
import { dragsFiles } from '../../../ui/drop/file-drop.ts';
import { isEventInside } from '../../../ui/event-inside.ts';
import { useStable } from '../../../ui/use-stable.ts';
import { sayingFailure } from '../../../rpc/say-failure.ts';
import { type TransferPlace, uploadInto } from './start-transfer.ts';
import classes from './start.module.css';
import { HandOvers } from './hand-overs.ts';

interface DropUploadAreaProps {
  /** The target of a drop that hits no folder. With null, as in the sidebar, such a drop is refused. */
  readonly place: TransferPlace | null;
  readonly children: ReactNode;
}

/** Makes the visible folder, or the folder tree, a drop target for files and folders. */
export function DropUploadArea({ place, children }: DropUploadAreaProps) {
  const { t } = useTranslation();
  const { hovering, taking, stop, handlers } = useDropUpload(place, classes.dropTarget ?? '');
  return (
    <div
      className={joinClasses(common.fill, common.column, classes.dropArea)}
      data-over={hovering !== null && place !== null}
      data-testid={place === null ? 'drop-upload-tree' : 'drop-upload'}
      {...handlers}
    >
      {children}
      {hovering === null ? null : (
        <div className={joinClasses(common.row, classes.dropNotice)} role="status">
          <Text size="sm">
            {t(hovering.count > 0 ? 'transfers.drop.here' : 'transfers.drop.hereUnknown', {
              count: hovering.count,
              name: nameOf(hovering.place),
            })}
          </Text>
        </div>
      )}
      {taking === null ? null : (
        <div className={joinClasses(common.row, classes.dropNotice)} role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">
            {t('transfers.drop.copying')}
            {taking.files === 0 && taking.sentBytes === 0
              ? ''
              : ` · ${t('transfers.drop.copied', { count: taking.files, size: formatBytes(taking.sentBytes) })}`}
          </Text>
          <Button size="compact-sm" variant="default" onClick={stop}>
            {t('transfers.drop.stop')}
          </Button>
        </div>
      )}
    </div>
  );
}

function nameOf(place: TransferPlace): string {
  return place.folder === '' ? place.bucket : lastSegment(place.folder);
}

/**
 * The number of files dragged over the element, as far as the system reports it, and the folder to which they would be uploaded.
 */
interface Hovering {
  readonly count: number;
  readonly place: TransferPlace;
}

/**
 * Uploads files that are dropped on the element, or pasted while it is mounted. The target is the folder under the pointer, or
 * else `place`. If `place` is null, only folders accept files.
 */
function useDropUpload(place: TransferPlace | null, targetClass: string) {
  const [hovering, setHovering] = useState<Hovering | null>(null);
  const [taking, setTaking] = useState<TakeProgress | null>(null);
  const [handOvers] = useState(() => new HandOvers(setTaking));
  const depth = useRef(0);
  const marked = useRef<HTMLElement | null>(null);

  const mark = (element: HTMLElement | null): void => {
    if (marked.current === element) return;
    marked.current?.classList.remove(targetClass);
    element?.classList.add(targetClass);
    marked.current = element;
  };
  const placeAt = (event: DragEvent): TransferPlace | null => {
    const under = dropPlaceUnder(event.target);
    // A drop outside the folder rows targets the whole page, which is highlighted differently.
    const isWithin = under !== null && event.currentTarget.contains(under.element);
    mark(isWithin ? under.element : null);
    return under?.place ?? place;
  };
  const leave = (): void => {
    depth.current = 0;
    mark(null);
    setHovering(null);
  };

  const upload = (items: readonly DroppedItem[], into: TransferPlace): void => {
    sayingFailure(() =>
      handOvers.run(async (signal, onProgress) => {
        const { handles, discard } = await takeDroppedMany(items, signal, onProgress);
        try {
          await uploadInto(into, handles);
        } finally {
          discard();
        }
      }),
    );
  };

  // Pasted files are uploaded into the active pane.
  const isActive = useIsActivePane();
  const isOnlyFolders = place === null;
  const { uploadHere } = useStable({
    uploadHere: (items: readonly DroppedItem[]): void => {
      if (place !== null) upload(items, place);
    },
  });
  useEffect(() => {
    if (!isActive || isOnlyFolders) return undefined;
    const onPaste = (event: ClipboardEvent): void => {
      if (event.defaultPrevented || event.clipboardData === null || isTextField(event.target)) return;
      const items = droppedItemsOf(event.clipboardData);
      if (items.length === 0) return;
      event.preventDefault();
      uploadHere(items);
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [isActive, isOnlyFolders, uploadHere]);
  useEffect(() => () => handOvers.stop(), [handOvers]);

  return {
    hovering,
    taking,
    stop: () => handOvers.stop(),
    handlers: {
      onDragEnter: (event: DragEvent) => {
        if (!dragsFiles(event) || !isEventInside(event)) return;
        event.preventDefault();
        depth.current += 1;
      },
      onDragOver: (event: DragEvent) => {
        if (!dragsFiles(event) || !isEventInside(event)) return;
        const into = placeAt(event);
        if (into === null) {
          // Without a target under the pointer, leaves the event to the window, which refuses the drop.
          setHovering(null);
          return;
        }
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        const next = { count: event.dataTransfer.items.length, place: into };
        setHovering((now) =>
          now !== null &&
          now.count === next.count &&
          now.place.bucket === next.place.bucket &&
          now.place.folder === next.place.folder
            ? now
            : next,
        );
      },
      onDragLeave: (event: DragEvent) => {
        if (!dragsFiles(event) || !isEventInside(event)) return;
        depth.current = Math.max(0, depth.current - 1);
        if (depth.current === 0) leave();
      },
      onDrop: (event: DragEvent) => {
        if (!dragsFiles(event) || !isEventInside(event)) return;
        const into = placeAt(event);
        leave();
        if (into === null) return;
        event.preventDefault();
        upload(droppedItemsOf(event.dataTransfer), into);
      },
    },
  };
}

function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;
}
