import { ImageMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { minTilePx, maxTilePx, tileStepPx } from './gallery-lines.ts';
import classes from '../list.module.css';

interface TileSizeProps {
  readonly tilePx: number;
  readonly onTilePx: (tilePx: number) => void;
}

/** A slider for the size of the gallery's pictures. */
export function TileSize({ tilePx, onTilePx }: TileSizeProps) {
  const { t } = useTranslation();
  return (
    <label className={classes.tileSize} title={t('objects.gallery.size')}>
      <ImageMinus size={14} aria-hidden />
      <input
        type="range"
        aria-label={t('objects.gallery.size')}
        min={minTilePx}
        max={maxTilePx}
        step={tileStepPx}
        value={tilePx}
        onChange={(event) => {
          onTilePx(event.currentTarget.valueAsNumber);
        }}
      />
    </label>
  );
}
