import { Menu } from '@mantine/core';
import { FolderOpen, FolderSearch, Link, ScrollText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { parentFolder } from '../../../../shared/keys/paths.ts';
import type { Job } from '../../../../shared/models/jobs.ts';
import { copyAndSay } from '../../../ui/clipboard/copy-text.ts';
import { PointMenu, type MenuPoint } from '../../../ui/point-menu.tsx';
import { hasResults, jobActionsFor, remedyFor } from './job-actions.ts';
import { actionIcons, remedyIcons, remedyLabels } from './job-icons.ts';
import { useJobServices } from './job-services.ts';
import type { JobCommands } from './use-job-actions.tsx';

interface JobMenuProps {
  readonly job: Job;
  readonly at: MenuPoint;
  readonly commands: JobCommands;
  readonly onLog: () => void;
  readonly onClose: () => void;
}

/** The place where a job's result is: its target, or the folder of its object; null: it works on several buckets. */
export function placeOfJob({ connectionId, bucket, key, target, batch }: Job) {
  if (target !== undefined)
    return {
      connectionId: target.connectionId,
      bucket: target.bucket,
      folder: parentFolderOf(target.prefix),
    };
  if (bucket === '' || batch !== undefined) return null;
  return { connectionId, bucket, folder: key.endsWith('/') ? key : (parentFolder(key) ?? '') };
}

/** The target of a rename is a whole key. */
function parentFolderOf(prefix: string): string {
  return prefix === '' || prefix.endsWith('/') ? prefix : (parentFolder(prefix) ?? '');
}

function addressOf({ bucket, key, target }: Job): string {
  return target === undefined ? `s3://${bucket}/${key}` : `s3://${target.bucket}/${target.prefix}`;
}

/** The context menu of a transfer. */
export function JobMenu({ job, at, commands, onLog, onClose }: JobMenuProps) {
  const { t } = useTranslation();
  const services = useJobServices();
  const remedy = remedyFor(job);
  const place = placeOfJob(job);
  const icon = { size: 16, 'aria-hidden': true } as const;
  const RemedyIcon = remedy === null ? null : remedyIcons[remedy];
  return (
    <PointMenu at={at} label={t('jobs.actions.label', { name: job.key })} onClose={onClose}>
      {remedy === null || RemedyIcon === null || remedy === 'show-in-folder' ? null : (
        <Menu.Item leftSection={<RemedyIcon {...icon} />} onClick={() => commands.remedy(remedy, job)}>
          {t(`jobs.actions.${remedyLabels[remedy]}`)}
        </Menu.Item>
      )}
      {jobActionsFor(job).map((action) => {
        const Icon = actionIcons[action];
        return (
          <Menu.Item key={action} leftSection={<Icon {...icon} />} onClick={() => commands.run(action, job)}>
            {t(`jobs.actions.${action}`)}
          </Menu.Item>
        );
      })}
      <Menu.Divider />
      {place === null ? null : (
        <Menu.Item leftSection={<FolderSearch {...icon} />} onClick={() => services.showFolder(place)}>
          {t('jobs.actions.showHere')}
        </Menu.Item>
      )}
      {hasResults(job) ? (
        <Menu.Item
          leftSection={<FolderOpen {...icon} />}
          onClick={() => commands.remedy('show-in-folder', job)}
        >
          {t('jobs.actions.showInFolder')}
        </Menu.Item>
      ) : null}
      {place === null ? null : (
        <Menu.Item leftSection={<Link {...icon} />} onClick={() => void copyAndSay(addressOf(job))}>
          {t('jobs.actions.copyAddress')}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<ScrollText {...icon} />} onClick={onLog}>
        {t('jobs.actions.log')}
      </Menu.Item>
    </PointMenu>
  );
}
