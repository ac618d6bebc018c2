import { useCallback } from 'react';
import { z } from 'zod/mini';
import type { BucketSection } from '../../../../shared/models/bucket-settings.ts';
import { useKeptView } from '../../../rpc/use-kept-view.ts';

const sectionsSchema = z.array(z.string());
const none: string[] = [];

interface Unsupported {
  /** The sections that the connection's service refused when one of its buckets was last asked. */
  readonly sections: ReadonlySet<string>;
  readonly note: (section: BucketSection, isUnsupported: boolean) => void;
}

/** Remembers the settings that a service does not have: a service refuses them for all of its buckets alike. */
export function useUnsupported(connectionId: string): Unsupported {
  const { value, isSettled, set } = useKeptView(`unsupported-settings:${connectionId}`, sectionsSchema, none);
  const note = useCallback(
    (section: BucketSection, isUnsupported: boolean) => {
      if (!isSettled || value.includes(section) === isUnsupported) return;
      set(isUnsupported ? [...value, section] : value.filter((kept) => kept !== section));
    },
    [value, isSettled, set],
  );
  return { sections: new Set(value), note };
}
