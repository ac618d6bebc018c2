import { Box, Button, Group, Loader, Text, Title } from '@mantine/core';
import {
  KeyRound,
  type LucideIcon,
  PackageOpen,
  PackagePlus,
  Pencil,
  RotateCw,
  SquareTerminal,
  Stethoscope,
  Unplug,
} from 'lucide-react';
import { Suspense, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import type { BucketList } from '../../../../shared/models/objects.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ErrorNotice } from '../../../ui/words/error-notice.tsx';
import type { BucketServices } from '../model/connection-places.ts';
import { FilteredBuckets } from './bucket-table.tsx';
import common from '../../../ui/common.module.css';
import { lazyComponent } from '../../../ui/lazy-part.tsx';
import classes from '../connections.module.css';
import {
  useConnectionName,
  useBucketList,
  useConnectionActions,
  useConnections,
} from '../model/connection-queries.ts';
import { openConnectionDialog, type OpenPlace } from '../model/connection-dialog-store.ts';

const OpenByNameForm = lazyComponent(async () => (await import('./open-by-name.tsx')).OpenByNameForm);

interface Props {
  readonly connectionId: string;
  readonly onOpen: (place: OpenPlace) => void;
  readonly buckets: BucketServices;
}

/** The page of a connection, which lists its buckets. */
export function ConnectionHome({ connectionId, onOpen, buckets }: Props) {
  const { t } = useTranslation();
  const connections = useConnections();
  const connection = connections.data?.find((candidate) => candidate.id === connectionId);
  if (connection !== undefined) {
    return <Home key={connectionId} connection={connection} onOpen={onOpen} services={buckets} />;
  }
  if (connections.data === undefined && connections.error !== null) {
    return (
      <FailureNotice variant="page" error={connections.error} onRetry={() => void connections.refetch()} />
    );
  }
  if (connections.isPending) return <Waiting />;
  return (
    <EmptyState
      icon={<Unplug size={28} />}
      title={t('connections.home.gone.title')}
      body={t('connections.home.gone.body')}
    />
  );
}

function Waiting() {
  const { t } = useTranslation();
  return (
    <Group wrap="nowrap" flex={1} justify="center" gap={10} role="status">
      <Loader size="sm" aria-hidden />
      <Text size="sm" c="dimmed">
        {t('connections.home.loading')}
      </Text>
    </Group>
  );
}

interface HomeProps {
  readonly connection: Connection;
  readonly onOpen: Props['onOpen'];
  readonly services: BucketServices;
}

function Home({ connection, onOpen, services }: HomeProps) {
  const { t } = useTranslation();
  const buckets = useBucketList(connection.id);
  const { reloadBuckets } = useConnectionActions();
  const reload = () => void reloadBuckets(connection.id);
  const { id, builtIn } = connection;
  const nameOf = useConnectionName();
  const actions: readonly (readonly [label: string, icon: LucideIcon, run: () => void])[] = [
    [t('entries.buckets.menu.create'), PackagePlus, () => services.create(id, onOpen)],
    [t('connections.home.reload'), RotateCw, reload],
    ...(builtIn
      ? ([
          [t('connections.programs.open'), SquareTerminal, () => openConnectionDialog({ mode: 'programs' })],
        ] as const)
      : ([
          [
            t('connections.home.test'),
            Stethoscope,
            () => openConnectionDialog({ mode: 'test', connectionId: id }),
          ],
          [
            t('connections.home.edit'),
            Pencil,
            () => openConnectionDialog({ mode: 'edit', connectionId: id }),
          ],
        ] as const)),
  ];
  return (
    <div className={joinClasses(common.column, classes.page)}>
      <header className={classes.header}>
        <Box flex="1 1 14rem" miw={0}>
          <Title order={1} fz="lg" className={common.cut} title={nameOf(connection)}>
            {nameOf(connection)}
          </Title>
          <Text size="xs" c="dimmed" className={common.cut}>
            {builtIn ? t('connections.sidebar.builtInBadge') : connection.endpoint}
          </Text>
        </Box>
        {actions.map(([label, Icon, run]) => (
          <Button key={label} variant="default" leftSection={<Icon size={14} aria-hidden />} onClick={run}>
            {label}
          </Button>
        ))}
      </header>
      {buckets.data === undefined ? (
        buckets.error === null || buckets.isFetching ? (
          <Waiting />
        ) : (
          <FailureNotice variant="page" error={buckets.error} onRetry={reload} isReading />
        )
      ) : (
        <Buckets
          connection={connection}
          list={buckets.data}
          onReload={reload}
          onOpen={onOpen}
          services={services}
        />
      )}
    </div>
  );
}

interface BucketsProps extends HomeProps {
  readonly list: BucketList;
  readonly onReload: () => void;
}

function Buckets({ connection, list, onReload, onOpen, services }: BucketsProps) {
  const { t } = useTranslation();
  const { error, buckets } = list;
  const byName = <ByName connectionId={connection.id} onOpen={onOpen} />;
  if (buckets.length > 0) {
    return (
      <>
        {error === null ? null : error.code === 'access-denied' ? (
          <p className={classes.note}>{t('connections.home.partly')}</p>
        ) : (
          <ErrorNotice error={error} onRetry={onReload} isReading />
        )}
        <FilteredBuckets connectionId={connection.id} list={list} onOpen={onOpen} services={services} />
        {error === null ? null : byName}
      </>
    );
  }
  if (error?.code === 'access-denied') {
    return (
      <EmptyState
        icon={<KeyRound size={28} />}
        title={t('connections.home.denied.title')}
        body={t('connections.home.denied.body')}
        actions={byName}
      />
    );
  }
  if (error !== null) {
    return (
      <ErrorNotice
        variant="page"
        error={error}
        onRetry={onReload}
        isReading
        actions={<OpenByNameButton connection={connection} onOpen={onOpen} />}
      />
    );
  }
  return (
    <EmptyState
      icon={<PackageOpen size={28} />}
      title={t('connections.home.empty.title')}
      body={t('connections.home.empty.body')}
      actions={<OpenByNameButton connection={connection} onOpen={onOpen} />}
    />
  );
}

function OpenByNameButton({ connection, onOpen }: Pick<HomeProps, 'connection' | 'onOpen'>) {
  const { t } = useTranslation();
  return (
    <Button
      variant="default"
      onClick={() => openConnectionDialog({ mode: 'open-by-name', connectionId: connection.id, onOpen })}
    >
      {t('connections.menu.openByName')}
    </Button>
  );
}

function ByName({ connectionId, onOpen }: Omit<Props, 'buckets'>): ReactNode {
  return (
    <Box w="100%" maw={420} py="sm" px="md" ta="start">
      <Suspense fallback={null}>
        <OpenByNameForm connectionId={connectionId} onOpen={onOpen} />
      </Suspense>
    </Box>
  );
}
