import {
  Loader,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { lastSegment } from '../../../shared/keys/paths.ts';
import type { Link, LinkInput } from '../../../shared/models/links.ts';
import type { ObjectRef } from '../../../shared/models/objects.ts';
import { rpc } from '../../rpc/client.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import type { DialogProps } from '../../ui/dialog/define-dialog.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { KeyText } from '../../ui/cells/key-text.tsx';
import { CopyButton } from '../../ui/clipboard/copy-button.tsx';
import { lazyComponent } from '../../ui/lazy-part.tsx';
import { formatExactDate } from '../../ui/words/format.ts';
import {
  isSimplifiedByBrowsers,
  offeredSeconds,
  type OfferedSeconds,
  type CustomLifetime,
  secondsOf,
} from './link-model.ts';
import classes from './links.module.css';

const kinds = ['get', 'put', 'plain'] as const;
const dispositions = ['asIs', 'inline', 'attachment'] as const;
const settleMs = 350;

/**
 * Creates a link to one object. The user chooses what the link permits and for how long; the dialog shows what may end it
 * earlier.
 */
export function LinkDialog({ request: object, onClose }: DialogProps<ObjectRef>) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<LinkInput['kind']>('get');
  const [expiry, setExpiry] = useState<OfferedSeconds | 'own'>('86400');
  const [customLifetime, setCustomLifetime] = useState<CustomLifetime>({ days: 0, hours: 2, minutes: 0 });
  const [disposition, setDisposition] = useState<(typeof dispositions)[number]>('asIs');
  const [contentType, setContentType] = useState('');
  const [settledType] = useDebouncedValue(contentType.trim(), settleMs);
  const seconds = expiry === 'own' ? secondsOf(customLifetime) : Number(expiry);
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
              <CustomExpiry value={customLifetime} isValid={seconds !== null} onChange={setCustomLifetime} />
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
        <FailureNotice error={link.error} onRetry={() => void link.refetch()} />
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

interface CustomExpiryProps {
  readonly value: CustomLifetime;
  readonly isValid: boolean;
  readonly onChange: (value: CustomLifetime) => void;
}

function CustomExpiry({ value, isValid, onChange }: CustomExpiryProps) {
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
            error={!isValid}
            onChange={(typed) => onChange({ ...value, [part]: Number(typed) || 0 })}
          />
        ))}
      </div>
      {isValid ? null : (
        <Text size="xs" c="red" role="alert">
          {t('links.ownInvalid')}
        </Text>
      )}
    </Stack>
  );
}

const QrCode = lazyComponent(async () => (await import('./qr-code.tsx')).QrCode);

interface LinkResultProps {
  readonly link: Link;
  readonly kind: LinkInput['kind'];
  readonly objectKey: string;
}

/** Shows the link as text and as a QR code, and what may end it. */
function LinkResult({ link, kind, objectKey }: LinkResultProps) {
  const { t } = useTranslation();
  const isSecret = link.expiresAt !== null;
  const isStated = link.endsWith === 'time' || link.endsWith === 'never' || link.endsWith === 'anonymous';
  return (
    <div className={classes.result}>
      <Stack gap="xs">
        <p className={classes.ends} data-tone={isStated ? 'quiet' : 'warning'}>
          {endText(link, t)}
        </p>
        <Textarea
          data-autofocus
          className={classes.url ?? ''}
          label={t('links.url')}
          value={link.url}
          readOnly
          autosize
          minRows={3}
          maxRows={6}
          spellCheck={false}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div>
          <CopyButton value={link.url} label={t('links.copy')} withText />
        </div>
        {isSecret ? (
          <Text size="xs" c="dimmed">
            {t('links.caution')}
          </Text>
        ) : null}
        {kind === 'put' && isSecret ? (
          <Text size="xs" c="dimmed">
            {t('links.putHint')}
          </Text>
        ) : null}
        {isSimplifiedByBrowsers(objectKey) ? <Text size="sm">{t('links.dots')}</Text> : null}
      </Stack>
      <div className={classes.side}>
        <Suspense fallback={<Loader size={20} role="status" aria-label={t('common.loading')} />}>
          <QrCode text={link.url} />
        </Suspense>
      </div>
    </div>
  );
}

function endText({ endsWith, expiresAt }: Link, t: TFunction): string {
  const time = expiresAt === null ? '' : formatExactDate(expiresAt);
  switch (endsWith) {
    case 'time':
      return t('links.endsAt', { time });
    case 'keys':
      return t('links.endsWithKeys', { time });
    case 'keys-unknown':
      return t('links.endsWithUnknownKeys', { time });
    case 'never':
    case 'anonymous':
      return t('links.endsNever');
    default:
      return endsWith satisfies never;
  }
}
