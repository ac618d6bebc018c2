import { Loader, NumberInput, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { LinkInput } from '../../../shared/models/links.ts';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import { rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { LinkResult } from './link-result.tsx';
import { offeredSeconds, secondsOf, type OfferedSeconds, type OwnSpan } from './link-model.ts';
import classes from './links.module.css';

interface LinkDialogProps {
  readonly request: ObjectRef;
  readonly onClose: () => void;
}

const kinds = ['get', 'put', 'plain'] as const;
const dispositions = ['asIs', 'inline', 'attachment'] as const;
const settleMs = 350;

/**
 * Creates a link to one object. The user chooses what the link permits and for how long; the dialog shows what may end it
 * earlier.
 */
export function LinkDialog({ request: object, onClose }: LinkDialogProps) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<LinkInput['kind']>('get');
  const [expiry, setExpiry] = useState<OfferedSeconds | 'own'>('86400');
  const [ownSpan, setOwnSpan] = useState<OwnSpan>({ days: 0, hours: 2, minutes: 0 });
  const [disposition, setDisposition] = useState<(typeof dispositions)[number]>('asIs');
  const [contentType, setContentType] = useState('');
  const [settledType] = useDebouncedValue(contentType.trim(), settleMs);
  const seconds = expiry === 'own' ? secondsOf(ownSpan) : Number(expiry);
  const isRead = kind === 'get';
  const input: LinkInput | null =
    seconds === null
      ? null
      : {
          ...object,
          kind,
          expiresInSeconds: seconds,
          disposition: isRead && disposition !== 'asIs' ? disposition : null,
          contentType: isRead && settledType !== '' ? settledType : null,
        };
  // Keeps the link only while the dialog shows it, since a link grants access like a password.
  const link = useQuery({
    queryKey: ['links.create', input],
    enabled: input !== null,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      if (input === null) throw new Error('There is nothing to sign.');
      return await rpc.links.create(input, { signal });
    },
  });
  const isSigned = link.data?.endsWith !== 'anonymous';
  return (
    <Dialog
      onClose={onClose}
      size="min(680px, 96vw)"
      title={
        <>
          <span>{t('links.title', { name: '' })}</span>
          <KeyText name={lastSegment(object.key)} />
        </>
      }
    >
      <Stack gap="md">
        {isSigned ? (
          <Stack gap={4}>
            <SegmentedControl
              fullWidth
              aria-label={t('links.kind')}
              value={kind}
              data={kinds.map((value) => ({ value, label: t(`links.kinds.${value}`) }))}
              onChange={setKind}
            />
            <Text size="sm" c="dimmed">
              {t(`links.kindHelp.${kind}`)}
            </Text>
          </Stack>
        ) : (
          <Text size="sm">{t('links.anonymous')}</Text>
        )}
        {isSigned && kind !== 'plain' ? (
          <>
            <Select
              label={t('links.expiry')}
              allowDeselect={false}
              value={expiry}
              data={[
                ...offeredSeconds.map((value) => ({ value, label: t(`links.expiries.${value}`) })),
                { value: 'own' as const, label: t('links.own') },
              ]}
              onChange={(value) => setExpiry(value ?? '86400')}
            />
            {expiry === 'own' ? (
              <OwnExpiry value={ownSpan} isFit={seconds !== null} onChange={setOwnSpan} />
            ) : null}
          </>
        ) : null}
        {isSigned && isRead ? (
          <details>
            <summary>{t('links.options')}</summary>
            <Stack gap="xs" mt="xs">
              <SegmentedControl
                aria-label={t('links.disposition')}
                value={disposition}
                data={dispositions.map((value) => ({ value, label: t(`links.dispositions.${value}`) }))}
                onChange={setDisposition}
              />
              <TextInput
                label={t('links.contentType')}
                placeholder={t('links.contentTypePlaceholder')}
                value={contentType}
                spellCheck={false}
                onChange={(event) => setContentType(event.currentTarget.value)}
              />
            </Stack>
          </details>
        ) : null}
        {link.error === null ? null : (
          <ErrorNotice error={appErrorOf(link.error)} onRetry={() => void link.refetch()} />
        )}
        {input !== null && link.isPending ? (
          <Loader size={20} role="status" aria-label={t('links.creating')} />
        ) : null}
        {link.data === undefined || input === null ? null : (
          <LinkResult link={link.data} kind={kind} objectKey={object.key} />
        )}
      </Stack>
    </Dialog>
  );
}

interface OwnExpiryProps {
  readonly value: OwnSpan;
  readonly isFit: boolean;
  readonly onChange: (value: OwnSpan) => void;
}

function OwnExpiry({ value, isFit, onChange }: OwnExpiryProps) {
  const { t } = useTranslation();
  const parts = [
    ['days', 'links.ownDays', 7],
    ['hours', 'links.ownHours', 168],
    ['minutes', 'links.ownMinutes', 10_080],
  ] as const;
  return (
    <Stack gap={4}>
      <div className={classes.own}>
        {parts.map(([part, label, max]) => (
          <NumberInput
            key={part}
            label={t(label)}
            min={0}
            max={max}
            allowDecimal={false}
            value={value[part]}
            error={!isFit}
            onChange={(typed) => onChange({ ...value, [part]: Number(typed) || 0 })}
          />
        ))}
      </div>
      {isFit ? null : (
        <Text size="xs" c="red" role="alert">
          {t('links.ownInvalid')}
        </Text>
      )}
    </Stack>
  );
}
