import { memo, useId, useImperativeHandle, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { footerOffset } from '../../../ui/table/virtual-scroll.ts';
import type { FolderPlace } from '../rows/place.ts';
import type { RowViewProps, ViewRowProps } from '../views/folder-views.ts';
import { LazyNameField } from '../rename/lazy-name-field.ts';
import { ListEnd, useListEnd } from '../views/list-end.tsx';
import { positionOf, useRowEvents } from '../views/row-events.ts';
import { pictureHeightPx } from './gallery-lines.ts';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { rowFacts, rowFactsShort } from '../rows/folder-columns.ts';
import { LazyThumbnail } from '../../viewers/index.ts';
import classes from './gallery.module.css';

interface TileProps extends ViewRowProps {
  readonly place: FolderPlace;
  readonly isInSight: boolean;
  readonly iconPx: number;
  /** The number of tiles for screen readers, or -1 if unknown. */
  readonly count: number;
  /** The word for a folder, for screen readers. Null for an object. */
  readonly kindName: string | null;
}

/** One row of a folder as a picture with its name. The gallery handles clicks. */
const Tile = memo(function Tile(props: TileProps) {
  const { id, row, name, found, position, count, kindName, isSelected, isFocused, isDimmed } = props;
  const { place, isInSight, iconPx } = props;
  // Re-renders the memoized tile when the language changes.
  useTranslation();
  const { size, day } = rowFactsShort(row);
  return (
    <div
      role="option"
      id={id}
      aria-selected={isSelected}
      aria-posinset={position + 1}
      aria-setsize={count}
      className={classes.tile}
      data-row-position={position}
      data-kind={row.kind}
      data-focused={isFocused}
      data-dimmed={isDimmed || undefined}
      draggable
    >
      <div className={classes.picture}>
        <LazyThumbnail
          place={place}
          row={row}
          isFolder={row.kind === 'folder'}
          isInSight={isInSight}
          iconPx={iconPx}
          isOption
        />
      </div>
      <div className={classes.name} title={name}>
        <KeyText name={name} isCut found={found} />
      </div>
      <div className={classes.facts} title={rowFacts(row)}>
        {kindName ?? size}
        {day === null ? null : <span className={classes.day}> · {day}</span>}
      </div>
    </div>
  );
});

export interface GalleryProps extends RowViewProps {
  readonly tilePx: number;
  readonly place: FolderPlace;
}

/**
 * Shows the rows of a folder as tiles, with elements only for visible ones. Follows the ARIA list box pattern, with the options
 * in lines.
 */
export function Gallery(props: GalleryProps) {
  const { label, model, folder, viewport, rows, dimmed, tilePx, place, ref } = props;
  const { attach, lines, window: rendered, sight, track } = viewport;
  const { focusPosition } = rows;
  const { t } = useTranslation();
  const folderName = t('objects.kinds.folder');
  const baseId = useId();
  const events = useRowEvents(props);
  const box = useRef<HTMLDivElement>(null);
  useImperativeHandle(ref, () => ({ focus: () => box.current?.focus({ preventScroll: true }) }), []);
  useListEnd(props);
  const positions = Array.from({ length: rendered.end - rendered.first }, (_, at) => rendered.first + at);
  const { renaming } = props;
  const renamedAt =
    renaming === null ? -1 : model.positionOf(model.find(renaming.row.kind, renaming.row.key));
  const isFocusRendered = focusPosition >= rendered.first && focusPosition < rendered.end;
  return (
    <div
      ref={attach}
      className={classes.gallery}
      style={{
        ['--tiles' as string]: lines.perLine,
        ['--line' as string]: `${String(lines.heightPx)}px`,
        ['--picture' as string]: `${String(pictureHeightPx(tilePx))}px`,
      }}
    >
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the spread events include key handlers */}
      <div
        ref={box}
        role="listbox"
        tabIndex={0}
        aria-label={label}
        aria-multiselectable
        aria-busy={folder.isFetching || model.busy !== null}
        aria-activedescendant={isFocusRendered ? `${baseId}-${String(focusPosition)}` : undefined}
        className={classes.box}
        style={{ height: viewport.trackHeightPx }}
        {...events}
        onClick={(event) => {
          // A click between the tiles clears the selection.
          if (positionOf(event) === null) rows.pointAt(null);
          else events.onClick(event);
        }}
      >
        <div
          role="presentation"
          className={classes.window}
          style={{ transform: `translateY(${String(rendered.offsetPx)}px)` }}
        >
          {positions.map((position) => {
            const number = model.rowAt(position);
            const row = model.row(number);
            return row === undefined ? null : (
              <Tile
                key={number}
                id={`${baseId}-${String(position)}`}
                row={row}
                place={place}
                isInSight={position >= sight.first && position < sight.end}
                iconPx={Math.round(tilePx / 3)}
                name={model.nameOf(row)}
                found={props.foundIn?.(row) ?? null}
                position={position}
                count={folder.hasMore ? -1 : model.count}
                kindName={row.kind === 'folder' ? folderName : null}
                isSelected={rows.isSelected(number)}
                isDimmed={dimmed !== null && dimmed.has(row.key)}
                isFocused={position === focusPosition}
              />
            );
          })}
        </div>
      </div>
      {renaming === null || renamedAt < rendered.first || renamedAt >= rendered.end ? null : (
        // Draws the field over its tile, since an option in a list box cannot contain a field.
        <div
          className={classes.renamed}
          style={{
            transform: `translateY(${String(rendered.offsetPx)}px)`,
            ['--line-at' as string]:
              Math.floor(renamedAt / lines.perLine) - Math.floor(rendered.first / lines.perLine),
            ['--tile-at' as string]: renamedAt % lines.perLine,
          }}
        >
          <LazyNameField rename={renaming} />
        </div>
      )}
      {props.footerPx === 0 || model.count > rendered.end + 100 ? null : (
        <div
          className={classes.footer}
          style={{
            height: props.footerPx,
            transform: `translateY(${String(footerOffset(track, viewport.scrollTopPx))}px)`,
          }}
        >
          <ListEnd folder={folder} />
        </div>
      )}
    </div>
  );
}
