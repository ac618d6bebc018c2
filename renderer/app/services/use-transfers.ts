import { useEffect, useEffectEvent, useMemo } from 'react';
import { z } from 'zod/mini';
import { openConflicts, openTransfers, useJobsWatch, useShownJob } from '../../features/transfers/index.ts';
import { useKeptView } from '../../rpc/use-kept-view.ts';

const dockSchema = z.object({ isOpen: z.boolean(), heightPx: z.number().check(z.gte(120), z.lte(800)) });
const firstDock = { isOpen: false, heightPx: 260 };

export type Transfers = ReturnType<typeof useTransfers>;

/** Returns the state of the transfers panel. Use it once. */
export function useTransfers() {
  const { value, set } = useKeptView('transfers', dockSchema, firstDock);
  const open = useEffectEvent(() => set({ ...value, isOpen: true }));
  useEffect(
    () =>
      useShownJob.subscribe((now, before) => {
        if (now.openedBy !== before.openedBy) open();
      }),
    [],
  );
  useJobsWatch({ onShow: openTransfers, isListShown: () => value.isOpen, onAsk: openConflicts });

  return useMemo(
    () => ({
      ...value,
      toggle: () => set({ ...value, isOpen: !value.isOpen }),
      resize: (heightPx: number) => set({ ...value, heightPx }),
    }),
    [value, set],
  );
}
