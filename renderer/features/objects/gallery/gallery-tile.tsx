import { memo } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyText } from '../../../ui/cells/key-text.tsx';
import { rowFacts, rowFactsShort } from '../rows/folder-columns.ts';
import type { FolderPlace } from '../rows/place.ts';
import { LazyThumbnail } from '../../viewers/index.ts';
import { rowName, type FolderRow } from '../rows/row.ts';
import classes from './gallery.module.css';

interface TileProps {
  readonly id: string;
  readonly row: FolderRow;
  readonly place: FolderPlace;
  readonly isInSight: boolean;
  readonly iconPx: number;
  readonly folder: string;
  readonly position: number;
  /** -1: not known yet. */
  readonly count: number;
  /** "Folder" for screen readers; null for an object. */
  readonly kindName: string | null;
  readonly isSelected: boolean;
  readonly isFocused: boolean;
  readonly isDimmed: boolean;
}

/** One row of a folder as a picture with its name. The gallery handles clicks. */
export const Tile = memo(function Tile(props: TileProps) {
  const { id, row, folder, position, count, kindName, isSelected, isFocused, isDimmed } = props;
  const { place, isInSight, iconPx } = props;
  // Drawn again in another language.
  useTranslation();
  const name = rowName(row, folder);
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
        <KeyText name={name} isCut />
      </div>
      <div className={classes.facts} title={rowFacts(row)}>
        {kindName ?? size}
        {day === null ? null : <span className={classes.day}> · {day}</span>}
      </div>
    </div>
  );
});
