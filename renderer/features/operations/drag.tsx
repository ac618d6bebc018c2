import { memo, useEffect } from 'react';
import type { TFunction } from 'i18next';
import { create } from 'zustand';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';
import { type DropSpot, dropUnder, type LocalDropPlace } from '../../ui/drop/drop-place.ts';
import { usesCommandKey } from '../../ui/keyboard/shortcuts.ts';
import { rpc } from '../../rpc/client.ts';
import { desktopBridge } from '../../rpc/message-port.ts';
import { dragData, dragsRows, dragType, endedOutside, randomTicket } from './drag-data.ts';
import {
  dropVerdict,
  movesByDrag,
  type Transfer,
  type Chosen,
  countText,
  isSameBucket,
  isSamePlace,
  type OperationPlace,
  placeText,
} from './chosen.ts';
import classes from './operations.module.css';

/** The dragged items: rows in a bucket, or local files. */
export type DragSource =
  | { readonly kind: 'objects'; readonly from: OperationPlace; readonly rows: readonly Chosen[] }
  | { readonly kind: 'files'; readonly handles: readonly string[]; readonly rows: readonly Chosen[] };

/** The rows being dragged, and the effect of dropping them now. */
export interface Drag {
  readonly source: DragSource;
  /** The target under the pointer, or null if a drop here would have no effect. */
  readonly over: { readonly to: DropSpot; readonly isMove: boolean } | null;
}

/** The action of a drop. */
export type Drop =
  | { readonly kind: 'transfer'; readonly transfer: Transfer }
  | { readonly kind: 'upload'; readonly handles: readonly string[]; readonly to: OperationPlace }
  | {
      readonly kind: 'download';
      readonly from: OperationPlace;
      readonly rows: readonly Chosen[];
      readonly folder: LocalDropPlace;
    }
  /** Dropped outside the desktop app's window, where objects cannot be dropped as files. */
  | { readonly kind: 'outside'; readonly from: OperationPlace; readonly rows: readonly Chosen[] };

/** Milliseconds after which a tab is activated while items are held over it. */
const tabDelayMs = 600;

const useDragging = create<{ readonly drag: Drag | null }>()(() => ({ drag: null }));

function dragNow(): Drag | null {
  return useDragging.getState().drag;
}

function setDrag(drag: Drag | null): void {
  useDragging.setState({ drag });
}

/** Starts dragging rows. Other programs get the addresses of all rows, and one object as a file. */
export function beginDrag(
  data: DataTransfer,
  from: OperationPlace,
  rows: readonly Chosen[],
  t: TFunction,
): void {
  const { types, offer } = dragData(from, rows, window.location.href, randomTicket);
  for (const [type, text] of Object.entries(types)) data.setData(type, text);
  if (offer !== null) {
    const { connectionId, bucket } = from;
    // Without this offer, the address cannot be fetched, and the drop target reports a failed download.
    rpc.objects.offer({ connectionId, bucket, ...offer }).catch(() => undefined);
  }
  begin(data, { kind: 'objects', from, rows }, t);
}

/** Starts dragging local files. Other programs get nothing, since the window does not know their paths. */
export function beginFileDrag(
  data: DataTransfer,
  handles: readonly string[],
  rows: readonly Chosen[],
  t: TFunction,
): void {
  begin(data, { kind: 'files', handles, rows }, t);
}

function begin(data: DataTransfer, source: DragSource, t: TFunction): void {
  data.setData(dragType, source.kind);
  data.effectAllowed = 'copyMove';
  const picture = document.createElement('div');
  picture.className = joinClasses(common.cut, common.strong, classes.picture);
  picture.textContent = countText(source.rows, t, source.kind);
  document.body.append(picture);
  data.setDragImage(picture, -14, 8);
  // The browser has captured the drag image once the next frame begins.
  requestAnimationFrame(() => picture.remove());
  setDrag({ source, over: null });
}

interface DragTargets {
  readonly onDrop: (drop: Drop) => void;
  readonly onHoldTab: (tabId: number) => void;
}

/** Handles drags over the window. Use it once, with functions that never change. */
export function useDragTargets({ onDrop, onHoldTab }: DragTargets): void {
  useEffect(() => {
    let lit: HTMLElement | null = null;
    let tab: { readonly id: string; readonly timer: ReturnType<typeof setTimeout> } | null = null;
    const light = (element: HTMLElement | null): void => {
      if (element === lit) return;
      lit?.removeAttribute('data-drop-over');
      element?.setAttribute('data-drop-over', '');
      lit = element;
    };
    const hold = (target: EventTarget | null): void => {
      const id = target instanceof Element ? tabIdOf(target) : null;
      if (tab?.id === id) return;
      clearTimeout(tab?.timer);
      tab = id === null ? null : { id, timer: setTimeout(onHoldTab, tabDelayMs, Number(id)) };
    };
    const end = (): void => {
      light(null);
      hold(null);
      if (dragNow() !== null) setDrag(null);
    };
    const onDragEnd = (event: DragEvent): void => {
      const drag = dragNow();
      end();
      if (drag?.source.kind === 'objects' && desktopBridge() !== null && endedOutside(event, window))
        onDrop({ kind: 'outside', from: drag.source.from, rows: drag.source.rows });
    };
    /**
     * Returns the drag of the event. Forgets a drag whose end was not reported, because its row had left the page by then, so that
     * a drop of something else does not act on its rows.
     */
    const dragOf = (event: DragEvent): Drag | null => {
      if (dragNow() !== null && !dragsRows(event)) end();
      return dragNow();
    };
    const onDragOver = (event: DragEvent): void => {
      const drag = dragOf(event);
      if (drag === null) return;
      hold(event.target);
      const found = dropUnder(event.target);
      const drop = found === null ? null : dropOn(found.spot, event);
      light(drop === null ? null : (found?.element ?? null));
      const next =
        drop === null || found === null
          ? null
          : { to: found.spot, isMove: drop.kind === 'transfer' && drop.transfer.isMove };
      if (!isSameAim(drag.over, next)) setDrag({ ...drag, over: next });
      if (event.dataTransfer !== null)
        event.dataTransfer.dropEffect = next === null ? 'none' : next.isMove ? 'move' : 'copy';
      event.preventDefault();
    };
    const drop = (event: DragEvent): void => {
      if (dragOf(event) === null) return;
      event.preventDefault();
      const found = dropUnder(event.target);
      const drop = found === null ? null : dropOn(found.spot, event);
      end();
      if (drop !== null) onDrop(drop);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('drop', drop);
    window.addEventListener('dragend', onDragEnd);
    // No pointer is pressed during a drag.
    window.addEventListener('pointerdown', end);
    return () => {
      end();
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('drop', drop);
      window.removeEventListener('dragend', onDragEnd);
      window.removeEventListener('pointerdown', end);
    };
  }, [onDrop, onHoldTab]);
}

/** Returns the effect of a drop on a folder, or null if it has none. A drop between a bucket and this computer always copies. */
function dropOn(spot: DropSpot, event: DragEvent): Drop | null {
  const drag = dragNow();
  if (drag === null) return null;
  const { source } = drag;
  if (source.kind === 'files')
    return spot.kind === 'bucket' ? { kind: 'upload', handles: source.handles, to: spot.place } : null;
  const { from, rows } = source;
  if (spot.kind === 'local') return { kind: 'download', from, rows, folder: spot.folder };
  const to = spot.place;
  const transfer = { from, rows, to, isMove: movesByDrag(event, isSameBucket(from, to), usesCommandKey()) };
  return dropVerdict(transfer).kind === 'refused' ? null : { kind: 'transfer', transfer };
}

function isSameAim(a: Drag['over'], b: Drag['over']): boolean {
  if (a === null || b === null) return a === b;
  return a.isMove === b.isMove && isSameSpot(a.to, b.to);
}

function isSameSpot(a: DropSpot, b: DropSpot): boolean {
  if (a.kind === 'local') return b.kind === 'local' && a.folder.handle === b.folder.handle;
  return b.kind === 'bucket' && isSamePlace(a.place, b.place);
}

/** Returns the tab below the pointer, by the attribute `data-drop-tab`. */
function tabIdOf(target: Element): string | null {
  return target.closest<HTMLElement>('[data-drop-tab]')?.dataset['dropTab'] ?? null;
}

/** Describes what dropping the rows would do. */
export const DragHint = memo(function DragHint() {
  const { t } = useTranslation();
  const { drag } = useDragging();
  if (drag === null) return null;
  const { over, source } = drag;
  const rowsText = countText(source.rows, t, source.kind);
  return (
    <div className={classes.hint} role="status">
      <span>
        {over === null
          ? t('operations.drag.nowhere')
          : t(over.isMove ? 'operations.drag.move' : 'operations.drag.copy', {
              things: rowsText,
              place: over.to.kind === 'bucket' ? placeText(over.to.place) : over.to.folder.name,
            })}
      </span>
      <span>{t(usesCommandKey() ? 'operations.drag.keysMac' : 'operations.drag.keys')}</span>
    </div>
  );
});
