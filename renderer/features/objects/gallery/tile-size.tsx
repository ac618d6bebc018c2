import { ImageMinus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod/mini';
import { type KeptView, useKeptView } from '../../../rpc/use-kept-view.ts';
import classes from '../list.module.css';
import { maxTilePx, minTilePx, tileStepPx, usualTilePx } from './gallery-lines.ts';

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
        onChange={(event) => onTilePx(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

const tileWidthSchema = z.number().check(z.gte(minTilePx), z.lte(maxTilePx));

/** Returns the width of the gallery's tiles, which is the same for all folders. */
export function useTileSize(): KeptView<number> {
  return useKeptView('gallery-tile', tileWidthSchema, usualTilePx);
}
