import { useQuery } from '@tanstack/react-query';
import { Files, HardDrive, House, Usb } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { LocalRoot } from '../../../shared/models/files.ts';
import { orpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { useRootName } from '../../rpc/root-names.ts';
import { localDropPlace } from '../../ui/drop/drop-place.ts';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { joinClasses } from '../../ui/class-names.ts';
import common from '../../ui/common.module.css';

interface LocalSidebarProps {
  /** The handle of the top-level folder that contains the visible folder. Null while no local folder is visible. */
  readonly current: string | null;
  readonly onOpen: (root: { readonly handle: string; readonly name: string }) => void;
}

const icons = { home: House, mount: Usb, disk: HardDrive, samples: Files } as const;

/** Interval between checks for newly connected disks. */
const disksEveryMs = 10_000;

/** Lists the top-level folders on this computer. */
export function LocalSidebar({ current, onOpen }: LocalSidebarProps) {
  const { t } = useTranslation();
  const nameOf = useRootName();
  const roots = useQuery(orpc.files.roots.queryOptions({ refetchInterval: disksEveryMs }));
  const draw = (root: LocalRoot) => {
    const Icon = icons[root.role];
    const name = nameOf(root);
    return (
      <li key={root.handle}>
        <button
          type="button"
          className={joinClasses(common.item, common.sideItem)}
          aria-current={root.handle === current ? 'page' : undefined}
          {...localDropPlace({ handle: root.handle, name })}
          onClick={() => onOpen({ handle: root.handle, name })}
        >
          <Icon size={15} aria-hidden className={common.sideIcon} />
          <span className={common.cut}>
            <KeyText name={name} />
          </span>
        </button>
      </li>
    );
  };
  return (
    <section aria-labelledby="computer-heading">
      <h2 id="computer-heading" className={common.sideHeading}>
        {t('files.computer')}
      </h2>
      {roots.isError && roots.data === undefined ? (
        <FailureNotice error={roots.error} onRetry={() => void roots.refetch()} isReading />
      ) : null}
      <ul className={common.sideList} aria-labelledby="computer-heading">
        {roots.data?.map(draw)}
      </ul>
    </section>
  );
}
