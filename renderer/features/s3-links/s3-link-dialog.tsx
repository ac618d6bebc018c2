import { Button, Group, Radio, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { WaitingLink } from '../../../shared/models/links.ts';
import { orpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { sayingFailure } from '../../rpc/say-failure.ts';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import type { S3LinkMoves } from './linked-place.ts';
import common from '../../ui/common.module.css';

/** Asks whether a link from another program may be opened, and in which connection. Shows the location in the link. */
export function S3LinkDialog({
  request: link,
  onClose,
  onOpen,
  onAddConnection,
}: DialogProps<WaitingLink> & S3LinkMoves) {
  const { t } = useTranslation();
  const connections = useQuery(orpc.connections.list.queryOptions());
  const [chosen, setChosen] = useState<string | null>(null);
  const [reading, setReading] = useState<'decoded' | 'asWritten'>('decoded');
  const list = connections.data ?? [];
  // Prefers the user's connections to the samples, which no link is likely to mean.
  const saved = list.filter(({ builtIn }) => !builtIn);
  const connectionId = chosen ?? (saved[0] ?? list[0])?.id ?? null;
  const prefix = link.decodedPrefix !== null && reading === 'decoded' ? link.decodedPrefix : link.prefix;
  return (
    <Dialog onClose={onClose} title={t('s3Links.title')}>
      <Stack gap="md">
        <Text size="sm">{t('s3Links.body')}</Text>
        <dl className={common.facts}>
          <dt>{t('s3Links.bucket')}</dt>
          <dd>
            <KeyText name={link.bucket} />
          </dd>
          {link.decodedPrefix === null ? (
            <>
              <dt>{t('s3Links.prefix')}</dt>
              <dd>{prefix === '' ? t('s3Links.top') : <KeyText name={prefix} />}</dd>
            </>
          ) : null}
        </dl>
        {link.decodedPrefix === null ? null : (
          <Radio.Group
            label={t('s3Links.prefix')}
            description={t('s3Links.twoReadings')}
            value={reading}
            onChange={(value) => setReading(value === 'asWritten' ? 'asWritten' : 'decoded')}
          >
            <Stack gap={6} mt={6}>
              <Radio value="decoded" label={<KeyText name={link.decodedPrefix} />} />
              <Radio value="asWritten" label={<KeyText name={link.prefix} />} />
            </Stack>
          </Radio.Group>
        )}
        <FailureNotice error={connections.error} onRetry={() => void connections.refetch()} />
        {list.length > 1 ? (
          <Select
            label={t('s3Links.connection')}
            allowDeselect={false}
            value={connectionId}
            data={[...saved, ...list.filter(({ builtIn }) => builtIn)].map(({ id, name, builtIn }) => ({
              value: id,
              label: builtIn ? t('connections.samples') : name,
            }))}
            onChange={setChosen}
          />
        ) : null}
        {saved.length === 0 && connections.data !== undefined ? (
          <Text size="sm" c="dimmed">
            {t('s3Links.noConnection')}
          </Text>
        ) : null}
        <Group justify="flex-end" gap="xs">
          {saved.length === 0 && connections.data !== undefined ? (
            <Button
              variant="default"
              mr="auto"
              onClick={() => {
                onClose();
                onAddConnection();
              }}
            >
              {t('s3Links.addConnection')}
            </Button>
          ) : null}
          <Button variant="default" data-autofocus onClick={onClose}>
            {t('common.cancel')}
          </Button>
          <Button
            disabled={connectionId === null}
            onClick={() => {
              if (connectionId === null) return;
              onClose();
              sayingFailure(() => onOpen({ connectionId, bucket: link.bucket, prefix }));
            }}
          >
            {t('s3Links.open')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
