import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Settings } from '../../../shared/models/settings.ts';
import { defaultSettings } from '../../../shared/models/default-settings.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { sayFailure } from '../../rpc/say-failure.ts';
import { useLatestMutation } from '../../ui/use-stable.ts';

/** Returns the settings (the defaults until they are loaded) and a function that changes them optimistically. */
export function useSettings() {
  const client = useQueryClient();
  const key = orpc.settings.get.queryKey();
  const settings = useQuery(orpc.settings.get.queryOptions());
  const update = useLatestMutation({
    mutationFn: (change: Partial<Settings>) => rpc.settings.update(change),
    onMutate(change) {
      client.setQueryData(key, (now: Settings | undefined) => ({ ...(now ?? defaultSettings), ...change }));
    },
    onSuccess(saved) {
      client.setQueryData(key, saved);
    },
    async onError(error) {
      sayFailure(error, (say) => say('entries.settings.saveFailed'));
      await client.invalidateQueries({ queryKey: key });
    },
  });
  return {
    settings: settings.data ?? defaultSettings,
    /** True once the settings have loaded. */
    isKnown: settings.data !== undefined,
    error: settings.error === null ? null : appErrorOf(settings.error),
    reload: () => void settings.refetch(),
    update: (change: Partial<Settings>) => update.mutate(change),
  };
}
