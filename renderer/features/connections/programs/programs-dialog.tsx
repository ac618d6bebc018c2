import { Button, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { HostInfo } from '../../../../shared/models/settings.ts';
import type { SampleService } from '../../../../shared/models/connection.ts';
import { orpc } from '../../../rpc/client.ts';
import { FailureNotice } from '../../../rpc/failure-notice.tsx';
import { joinClasses } from '../../../ui/class-names.ts';
import { CopyButton } from '../../../ui/clipboard/copy-button.tsx';
import common from '../../../ui/common.module.css';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { closeConnectionDialog } from '../model/connection-dialog-store.ts';
import { programLines, programs } from './program-lines.ts';
import classes from '../forms.module.css';
import { useSampleService } from '../model/connection-queries.ts';

/** Shows the address of the sample service, and commands with which other programs use it. */
export function ProgramsDialog() {
  const { t } = useTranslation();
  const service = useSampleService();
  const info = useQuery(orpc.app.info.queryOptions());
  const failed = service.error ?? info.error;
  const isKnown = service.data !== undefined && info.data !== undefined;
  return (
    <Dialog onClose={closeConnectionDialog} title={t('connections.programs.title')} size={760}>
      <Stack gap="md">
        <Text size="sm">{t('connections.programs.body')}</Text>
        {isKnown ? (
          <Lines service={service.data} info={info.data} />
        ) : failed === null ? (
          <Text size="sm" c="dimmed" role="status">
            <Loader size="xs" aria-hidden /> {t('connections.programs.starting')}
          </Text>
        ) : (
          <FailureNotice error={failed} onRetry={() => void service.refetch()} />
        )}
        <Group justify="flex-end">
          <Button onClick={closeConnectionDialog}>{t('connections.programs.close')}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

interface LinesProps {
  readonly service: SampleService;
  readonly info: HostInfo;
}

function Lines({ service, info }: LinesProps) {
  const { t } = useTranslation();
  const lines = programLines(service, info);
  return (
    <>
      <dl className={common.facts}>
        {(
          [
            ['address', service.endpoint, 'copyAddress'],
            ['region', service.region, 'copyRegion'],
            ['keysFile', service.keysFile, 'copyKeysFile'],
          ] as const
        ).map(([name, value, copy]) => (
          <div key={name}>
            <dt>{t(`connections.programs.${name}`)}</dt>
            <dd className={common.row}>
              <code className={joinClasses(common.mono, common.breaks)}>{value}</code>
              <CopyButton value={value} label={t(`connections.programs.${copy}`)} />
            </dd>
          </div>
        ))}
      </dl>
      <Text size="xs" c="dimmed">
        {t('connections.programs.keysFileHint')}
      </Text>
      <section className={common.column} style={{ gap: 6 }}>
        <Title order={3} fz="sm">
          {t('connections.programs.keysTitle')}
        </Title>
        <Text size="xs" c="dimmed">
          {t('connections.programs.keysBody')}
        </Text>
        <Line text={lines.keys} copy={t('connections.programs.copyKeys')} />
      </section>
      <section className={common.column} style={{ gap: 6 }}>
        <Title order={3} fz="sm">
          {t('connections.programs.linesTitle')}
        </Title>
        {programs.map((program) => (
          <div key={program}>
            <Text size="xs" c="dimmed">
              {t(`connections.programs.programs.${program}`)}
            </Text>
            <Line text={lines.programs[program]} copy={t('connections.programs.copyLine', { program })} />
          </div>
        ))}
      </section>
      <section className={common.column} style={{ gap: 6 }}>
        <Text size="xs" c="dimmed">
          {t('connections.programs.port')}
          {/* Omitted in the desktop app, whose installation adds no such command. */}
          {info.host === 'browser' ? ` ${t('connections.programs.portAlone')}` : null}
        </Text>
        {info.host === 'browser' ? (
          <Line text={lines.alone} copy={t('connections.programs.copyPort')} />
        ) : null}
      </section>
    </>
  );
}

/** The complete text for a terminal, with a copy button. */
function Line({ text, copy }: { readonly text: string; readonly copy: string }) {
  return (
    <div className={common.callout}>
      <pre className={joinClasses(common.fill, common.mono, classes.code)}>{text}</pre>
      <CopyButton value={text} label={copy} />
    </div>
  );
}
