import type { Taking, DroppedFiles, DropOutcome } from '../ui/drop/file-drop.ts';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { FileEntry } from '../../shared/models/files.ts';
import { discardDropped, takeDropped } from './dropped-files.ts';
import { appErrorOf } from './errors.ts';

const idle: Taking = { kind: 'idle' };

/**
 * Makes a dropped file readable by the core and reports the progress. Discards the copy when the component unmounts. Shows the
 * error if `onReceived` rejects.
 */
export function useDropped(onReceived: (file: FileEntry) => Promise<void> | void): DroppedFiles {
  const [taking, setTaking] = useState<Taking>(idle);
  const current = useRef<{ readonly aborter: AbortController; file: FileEntry | null } | null>(null);

  const drop = useCallback(() => {
    current.current?.aborter.abort();
    if (current.current?.file) discardDropped(current.current.file);
    current.current = null;
  }, []);
  useEffect(() => drop, [drop]);

  const take = (outcome: DropOutcome): void => {
    drop();
    if (outcome.kind === 'refused') {
      setTaking({ kind: 'failed', error: outcome.error });
      return;
    }
    const { file } = outcome;
    const mine = { aborter: new AbortController(), file: null as FileEntry | null };
    const { signal } = mine.aborter;
    current.current = mine;
    const show = (next: Taking): void => {
      if (!signal.aborted) setTaking(next);
    };
    show({ kind: 'running', name: file.name, sentBytes: 0, sizeBytes: file.size });
    void (async () => {
      try {
        const entry = await takeDropped(file, {
          signal,
          onSent: (sentBytes) => show({ kind: 'running', name: file.name, sentBytes, sizeBytes: file.size }),
        });
        mine.file = entry;
        if (signal.aborted) {
          discardDropped(entry);
          return;
        }
        await onReceived(entry);
        show(idle);
      } catch (thrown) {
        show({ kind: 'failed', error: appErrorOf(thrown) });
      }
    })();
  };
  return {
    taking,
    take,
    stop: () => {
      drop();
      setTaking({ kind: 'stopped' });
    },
    forget: () => {
      drop();
      setTaking(idle);
    },
  };
}
