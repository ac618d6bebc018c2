import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { FolderOpen, Plus, UserRoundKey, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Connection } from '../../../../shared/models/connection.ts';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import { openConnectionDialog } from '../model/connection-dialog-store.ts';
import { startOf, type Destination } from '../model/connection-places.ts';
import { useConnectionActions, useConnections, useProfiles } from '../model/connection-queries.ts';
import classes from '../connections.module.css';

interface Props {
  readonly onOpen: (place: Destination) => void;
  /** Leaves out the introduction, for use below a list of places. */
  readonly isShort?: boolean;
}

/** Shows the welcome page: what the program is for, and three ways to start. */
export function Welcome({ onOpen, isShort = false }: Props) {
  const { t } = useTranslation();
  const connections = useConnections();
  const { restoreSamples } = useConnectionActions();
  const openHome = (connectionId: string) => onOpen({ connectionId, bucket: null });

  const openSamples = () => {
    const samples = connections.data?.find((connection) => connection.builtIn);
    if (samples !== undefined) openHome(samples.id);
    else restoreSamples.mutate(undefined, { onSuccess: (restored) => openHome(restored.id) });
  };
  const openSaved = (saved: Connection) => onOpen(startOf(saved));
  const create = () => openConnectionDialog({ mode: 'create', onSaved: openSaved });

  return (
    <div className={classes.welcome} data-short={isShort || undefined}>
      <Stack gap={28} w="100%" maw={720} m="auto">
        {isShort ? (
          <h1 className="visually-hidden">{t('connections.welcome.title')}</h1>
        ) : (
          <Stack gap="xs">
            <Title order={1} fz={28}>
              {t('connections.welcome.title')}
            </Title>
            <Text size="md" c="dimmed" maw={560}>
              {t('connections.welcome.body')}
            </Text>
          </Stack>
        )}
        <div className={classes.cards}>
          <Card icon={FolderOpen} words="samples">
            <Button
              variant="transparent"
              size="compact-sm"
              px={0}
              onClick={() => openConnectionDialog({ mode: 'programs' })}
            >
              {t('connections.programs.welcome')}
            </Button>
            <Button
              size="sm"
              loading={restoreSamples.isPending}
              disabled={connections.isPending}
              onClick={openSamples}
            >
              {t('connections.welcome.samplesOpen')}
            </Button>
          </Card>
          <Card icon={Plus} words="add">
            <Button variant="default" size="sm" onClick={create}>
              {t('connections.welcome.addOpen')}
            </Button>
          </Card>
        </div>
        <Profiles onSaved={openSaved} />
      </Stack>
    </div>
  );
}

interface CardProps {
  readonly icon: LucideIcon;
  readonly words: 'samples' | 'add';
  readonly children: ReactNode;
}

/** One way to start, with its buttons. */
function Card({ icon: Icon, words, children }: CardProps) {
  const { t } = useTranslation();
  return (
    <section className={joinClasses(common.column, common.framed, classes.card)}>
      <Icon size={22} aria-hidden className={common.good} />
      <Title order={2} fz="md">
        {t(`connections.welcome.${words}Title`)}
      </Title>
      <Text size="sm" c="dimmed" flex={1} mb="xs">
        {t(`connections.welcome.${words}Body`)}
      </Text>
      {children}
    </section>
  );
}

function Profiles({ onSaved }: { readonly onSaved: (connection: Connection) => void }) {
  const { t } = useTranslation();
  const profiles = useProfiles();
  const found = profiles.data ?? [];
  // Renders nothing without profiles, which is normal. The form that needs an unreadable ~/.aws reports it.
  if (found.length === 0) return null;
  return (
    <section className={classes.welcomeProfiles} aria-labelledby="welcome-profiles">
      <Title order={2} fz="md" id="welcome-profiles">
        {t('connections.welcome.profilesTitle')}
      </Title>
      <Text size="sm" c="dimmed">
        {t('connections.welcome.profilesBody')}
      </Text>
      <Group gap="xs" mt="xs">
        {found.slice(0, 12).map((profile) => (
          <Button
            key={profile.name}
            variant="default"
            leftSection={<UserRoundKey size={14} aria-hidden />}
            title={t(`connections.profileKinds.${profile.kind}`)}
            onClick={() => openConnectionDialog({ mode: 'create', profile, onSaved })}
          >
            {profile.name}
            <Text span size="xs" c="dimmed" ms={6}>
              {profile.region ?? t('connections.welcome.profileDefaultRegion')}
            </Text>
          </Button>
        ))}
      </Group>
    </section>
  );
}
