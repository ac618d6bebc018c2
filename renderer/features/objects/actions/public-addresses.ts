import { z } from 'zod/mini';
import { useKeptView, type KeptView } from '../../../rpc/use-kept-view.ts';
import type { FolderPlace } from '../rows/place.ts';

const addressesSchema = z.record(z.string(), z.string());
const none: Record<string, string> = {};

interface PublicBase {
  /** Without a trailing slash; null: not known. */
  readonly base: string | null;
  /** null forgets it. */
  readonly set: (base: string | null) => void;
}

/** The base address at which a bucket's objects are public, such as that of a CDN. Stored for each bucket. */
export function usePublicBase({
  connectionId,
  bucket,
}: Pick<FolderPlace, 'connectionId' | 'bucket'>): PublicBase {
  const { value, set }: KeptView<Record<string, string>> = useKeptView(
    'public-addresses',
    addressesSchema,
    none,
  );
  const name = `${connectionId}/${bucket}`;
  return {
    base: value[name] ?? null,
    set: (base) => {
      const { [name]: _before, ...others } = value;
      set(base === null ? others : { ...others, [name]: base });
    },
  };
}
