import { useCallback, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { nameText } from '../../../shared/keys/display.ts';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { showStartedJob } from '../transfers/index.ts';
import { defaultSyncOptions, SyncSetup, type SyncOptions } from './sync-setup.tsx';
import { SyncPlan } from './sync-plan.tsx';
import { useSyncPlan, type SyncRequest } from './use-sync-plan.ts';

/**
 * Asks for the folder of a sync, then shows the plan for confirmation. Closing the dialog discards the plan, but started jobs
 * continue.
 */
export function SyncDialog({ request, onClose }: DialogProps<SyncRequest>) {
  const { t } = useTranslation();
  const { place, direction } = request;
  const [options, setOptions] = useState<SyncOptions>(() => defaultSyncOptions(direction));
  const { planId, make, forget } = useSyncPlan(place);
  const name = nameText(
    place.prefix === '' ? place.bucket : `${place.bucket}/${place.prefix}`,
    t('common.keyText.empty'),
  );
  const started = useCallback(
    (jobIds: readonly string[]) => {
      onClose();
      const [jobId] = jobIds;
      if (jobId !== undefined) showStartedJob(jobId);
    },
    [onClose],
  );
  return (
    <Dialog
      // Both steps have the same width, so that the dialog does not jump under the pointer.
      size={980}
      title={t(`sync.title.${options.direction}`, { name })}
      onClose={onClose}
    >
      {planId === null ? (
        <SyncSetup
          name={name}
          options={options}
          onChange={setOptions}
          onMake={() => make(options)}
          onClose={onClose}
        />
      ) : (
        <SyncPlan key={planId} planId={planId} onBack={forget} onStarted={started} onClose={onClose} />
      )}
    </Dialog>
  );
}
