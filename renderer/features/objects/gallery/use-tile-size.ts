import { z } from 'zod/mini';
import { useKeptView, type KeptView } from '../../../rpc/use-kept-view.ts';
import { minTilePx, maxTilePx, usualTilePx } from './gallery-lines.ts';

const keptSchema = z.number().check(z.gte(minTilePx), z.lte(maxTilePx));

/** Returns the width of the gallery's tiles, which is the same for all folders. */
export function useTileSize(): KeptView<number> {
  return useKeptView('gallery-tile', keptSchema, usualTilePx);
}
