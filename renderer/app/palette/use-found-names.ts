import { useEffect, useState } from 'react';
import type { FoundName } from '../../../shared/models/map.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { rpc } from '../../rpc/client.ts';

interface Found {
  readonly text: string;
  readonly names: readonly FoundName[];
  readonly isOver: boolean;
}

const nothing: Found = { text: '', names: [], isOver: true };

/**
 * Returns the names that catalogues hold for a text, while the search continues. Keeps those of the previous text until the
 * first arrive.
 */
export function useFoundNames(
  text: string,
  near: Place | null,
): { readonly names: readonly FoundName[]; readonly isSearching: boolean } {
  const [found, setFound] = useState(nothing);
  const [connectionId, bucket] = [near?.connectionId ?? null, near?.bucket ?? null];
  useEffect(() => {
    if (text === '') return undefined;
    const aborter = new AbortController();
    const { signal } = aborter;
    const at = connectionId === null || bucket === null ? null : { connectionId, bucket };
    void follow(text, at, signal, setFound);
    return () => {
      aborter.abort();
    };
  }, [text, connectionId, bucket]);
  return text === ''
    ? { names: nothing.names, isSearching: false }
    : { names: found.names, isSearching: found.text !== text || !found.isOver };
}

async function follow(
  text: string,
  near: Place | null,
  signal: AbortSignal,
  report: (found: Found) => void,
): Promise<void> {
  try {
    for await (const { found, isOver } of await rpc.map.find({ text, near }, { signal }))
      if (!signal.aborted) report({ text, names: found, isOver });
  } catch {
    // Aborted by the next text, or the core is away: a banner reports that, and places and loaded rows are found without it.
    if (!signal.aborted) report({ ...nothing, text });
  }
}
