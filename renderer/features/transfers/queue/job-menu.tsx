import { FolderOpen, FolderSearch, Link, ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { folderOf } from '../../../../shared/keys/paths.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { PointMenu, type MenuPoint, MenuEntries, menuEntry } from '../../../ui/menus.tsx';
import { hasResults, jobActionsFor, remedyFor } from './job-actions.ts';
import { actionIcons, remedyFacts } from './job-icons.ts';
import { useGo } from '../../go/index.ts';
import type { JobCommands } from './use-job-actions.tsx';

interface JobMenuProps {
  readonly job: Job;
  readonly at: MenuPoint;
  readonly commands: JobCommands;
  readonly onLog: () => void;
  readonly onClose: () => void;
}

/** Returns the location of a job's result: its target, or the folder of its object. Null if the job works on several buckets. */
export function placeOfJob({ connectionId, bucket, key, target, batch }: Job) {
  // The prefix of a rename is a complete key.
  if (target !== undefined)
    return { connectionId: target.connectionId, bucket: target.bucket, folder: folderOf(target.prefix) };
  if (bucket === '' || batch !== undefined) return null;
  return { connectionId, bucket, folder: folderOf(key) };
}

function addressOf({ bucket, key, target }: Job): string {
  return target === undefined ? `s3://${bucket}/${key}` : `s3://${target.bucket}/${target.prefix}`;
}

/** The context menu of a transfer. */
export function JobMenu({ job, at, commands, onLog, onClose }: JobMenuProps) {
  const { t } = useTranslation();
  const { openFolder } = useGo();
  const remedy = remedyFor(job);
  const place = placeOfJob(job);
  return (
    <PointMenu at={at} label={t('jobs.actions.label', { name: job.key })} onClose={onClose}>
      <MenuEntries
        groups={[
          [
            remedy !== null &&
              remedy !== 'show-in-folder' &&
              menuEntry(t(`jobs.actions.${remedyFacts[remedy].messageKey}`), remedyFacts[remedy].icon, () =>
                commands.remedy(remedy, job),
              ),
            ...jobActionsFor(job).map((action) =>
              menuEntry(t(`jobs.actions.${action}`), actionIcons[action], () => commands.run(action, job)),
            ),
          ],
          [
            place !== null && menuEntry(t('jobs.actions.showHere'), FolderSearch, () => openFolder(place)),
            hasResults(job) &&
              menuEntry(t('jobs.actions.showInFolder'), FolderOpen, () =>
                commands.remedy('show-in-folder', job),
              ),
            place !== null &&
              menuEntry(t('jobs.actions.copyAddress'), Link, () => void copyAndSay(addressOf(job))),
            menuEntry(t('jobs.actions.log'), ScrollText, onLog),
          ],
        ]}
      />
    </PointMenu>
  );
}
