import type { AppError } from '../../shared/errors.ts';
import type { BucketSection, SettingsOutcome } from '../../shared/models/bucket-settings.ts';
import type { Place } from '../../shared/models/objects.ts';
import { rpc } from './client.ts';
import { appErrorOf } from './errors.ts';
import { useLatestMutation } from '../ui/use-stable.ts';

export interface RestoreSettings {
  readonly isPending: boolean;
  readonly wasTried: boolean;
  readonly error: AppError | null;
  /** Restores the configuration that the save with this outcome replaced. */
  readonly start: (outcome: SettingsOutcome) => void;
}

/** Restores a bucket's configuration after a save that the service stored differently. */
export function useRestoreSettings(
  place: Place & { readonly section: BucketSection },
  onOutcome: (outcome: SettingsOutcome) => void,
): RestoreSettings {
  const mutation = useLatestMutation({
    mutationFn: async ({ before, document }: SettingsOutcome) => {
      const at = { ...place, expected: document.fingerprint };
      return before === null || before === ''
        ? await rpc.bucketSettings.clear(at)
        : await rpc.bucketSettings.save({ ...at, text: before });
    },
    // Keeps the original document, so that a second attempt does not restore the result of the first.
    onSuccess: (outcome, { before }) => onOutcome({ ...outcome, before }),
  });
  return {
    isPending: mutation.isPending,
    wasTried: mutation.isSuccess || mutation.isError,
    error: mutation.error === null ? null : appErrorOf(mutation.error),
    start: mutation.mutate,
  };
}
