import { ActionIcon, Flex, Group, Skeleton, Stack, Text, UnstyledButton } from '@mantine/core';
import { Download, Ellipsis, Plus, Upload } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { ConnectionTree } from './connection-tree.tsx';
import {
  type BucketServices,
  type CurrentPlace,
  type Destination,
  type SidebarExtra,
  startOf,
} from '../model/connection-places.ts';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { MenuButton } from '../../../ui/menu-button.tsx';
import { MenuEntries, menuEntry } from '../../../ui/menus.tsx';
import { exportConnections, useConnections } from '../model/connection-queries.ts';
import classes from '../connections.module.css';

interface Props {
  readonly current: CurrentPlace | null;
  readonly onOpen: (place: Destination) => void;
  readonly extra?: SidebarExtra;
  readonly buckets: BucketServices;
}

/** The connections and their buckets. */
export function ConnectionsSidebar({ current, onOpen, extra, buckets }: Props) {
  const { t } = useTranslation();
  const connections = useConnections();
  const create = () => openConnectionDialog({ mode: 'create', onSaved: (saved) => onOpen(startOf(saved)) });

  return (
    <section aria-labelledby="connections-heading" className={joinClasses(common.column, classes.section)}>
      <Group wrap="nowrap" gap={0} justify="space-between" pt={6} pb={4} pe="xs" ps="sm">
        <h2
          id="connections-heading"
          className={joinClasses(common.quiet, common.strong, classes.treeHeading)}
        >
          {t('connections.sidebar.title')}
        </h2>
        <Flex gap={2}>
          <ConnectionsMenu />
          <IconButton size="sm" label={t('connections.sidebar.add')} icon={Plus} onClick={create} />
        </Flex>
      </Group>
      {connections.isPending ? <Placeholder /> : null}
      {connections.isError && connections.data === undefined ? (
        <FailureNotice error={connections.error} onRetry={() => void connections.refetch()} />
      ) : null}
      {connections.data?.length === 0 ? (
        <Stack gap={4} px="sm" py="xs">
          <Text size="sm" c="dimmed">
            {t('connections.sidebar.none')}
          </Text>
          <UnstyledButton c="var(--cooper-accent)" fz="sm" onClick={create}>
            {t('connections.menu.new')}
          </UnstyledButton>
        </Stack>
      ) : null}
      {connections.data === undefined || connections.data.length === 0 ? null : (
        <ConnectionTree
          connections={connections.data}
          current={current}
          onOpen={onOpen}
          onCreate={create}
          extra={extra ?? null}
          bucketServices={buckets}
        />
      )}
    </section>
  );
}

function Placeholder() {
  const { t } = useTranslation();
  return (
    <Stack gap={8} px="sm" py="xs" role="status" aria-label={t('connections.sidebar.loadingConnections')}>
      <Skeleton height={16} width="70%" />
      <Skeleton height={16} width="55%" />
    </Stack>
  );
}

/** The menu of actions that concern all connections. */
function ConnectionsMenu() {
  const { t } = useTranslation();
  return (
    <MenuButton
      position="bottom-end"
      width={220}
      renderButton={(attributes) => (
        <ActionIcon size="sm" aria-label={t('connections.menu.actions')} {...attributes}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      )}
    >
      <MenuEntries
        groups={[
          [
            menuEntry(t('connections.menu.importFile'), Upload, () =>
              openConnectionDialog({ mode: 'import' }),
            ),
            menuEntry(t('connections.menu.exportFile'), Download, exportConnections),
          ],
        ]}
      />
    </MenuButton>
  );
}
