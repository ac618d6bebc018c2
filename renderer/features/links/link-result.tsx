import { Loader, Stack, Text, Textarea } from '@mantine/core';
import type { TFunction } from 'i18next';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { Link, LinkInput } from '../../../shared/models/links.ts';
import { CopyButton } from '../../ui/clipboard/copy-button.tsx';
import { formatExactDate } from '../../ui/words/format.ts';
import { isSimplifiedByBrowsers } from './link-model.ts';
import classes from './links.module.css';

const QrCode = lazy(async () => ({ default: (await import('./qr-code.tsx')).QrCode }));

interface LinkResultProps {
  readonly link: Link;
  readonly kind: LinkInput['kind'];
  readonly objectKey: string;
}

/** Shows the link as text and as a QR code, and what may end it. */
export function LinkResult({ link, kind, objectKey }: LinkResultProps) {
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
