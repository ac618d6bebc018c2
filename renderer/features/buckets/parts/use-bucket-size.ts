import { useEffect, useRef, useState } from 'react';
import type { Place } from '../../../../shared/models/objects.ts';
import type { WalkStatus } from '../../../../shared/models/walks.ts';
import { rpc } from '../../../rpc/client.ts';

interface BucketSize {
  /** Null until the walk has reported. */
  readonly status: WalkStatus | null;
  readonly failed: boolean;
  readonly stop: () => void;
}

/** Computes the size of a bucket by listing all its objects. Stops when the component unmounts. */
export function useBucketSize({ connectionId, bucket }: Place): BucketSize {
  const [status, setStatus] = useState<WalkStatus | null>(null);
  const [failed, setFailed] = useState(false);
  const walk = useRef<string | null>(null);
  useEffect(() => {
    const aborter = new AbortController();
    const follow = async (): Promise<void> => {
      const { walkId } = await rpc.walks.start({ connectionId, bucket, prefix: '', query: null });
      walk.current = walkId;
      try {
        for await (const next of await rpc.walks.watch({ walkId }, { signal: aborter.signal })) {
          setStatus(next);
          if (next.state === 'failed') setFailed(true);
        }
      } finally {
        await rpc.walks.close({ walkId });
      }
    };
    follow().catch(() => {
      // Ignores the error after the dialog was closed. Otherwise only shows it, since the bucket can be deleted without a size.
      if (!aborter.signal.aborted) setFailed(true);
    });
    return () => aborter.abort();
  }, [connectionId, bucket]);
  const stop = (): void => {
    const walkId = walk.current;
    if (walkId !== null) rpc.walks.stop({ walkId }).catch(() => setFailed(true));
  };
  return { status, failed, stop };
}
