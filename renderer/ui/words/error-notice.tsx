import { Box, Button, Flex, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useInterval } from '@mantine/hooks';
import { ChevronRight, CircleAlert, Lock, RotateCw } from 'lucide-react';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { AppError } from '../../../shared/errors.ts';
import { joinClasses } from '../class-names.ts';
import { CopyButton } from '../clipboard/copy-button.tsx';
import common from '../common.module.css';
import { errorFacts, errorWords } from './error-words.ts';
import classes from './error-notice.module.css';

interface ErrorNoticeProps {
  readonly error: AppError;
  readonly onRetry?: () => void;
  /** True if the failed call was read-only. If the service asked for a wait, the call is then retried after the wait. */
  readonly isReading?: boolean;
  /** The permission that a denied request would have needed, such as s3:ListBucket. */
  readonly permission?: string;
  /** `page` replaces the content that failed, and `line` appears next to other content. */
  readonly variant?: 'page' | 'line';
  readonly actions?: ReactNode;
}

/** Returns true if a request was denied for lack of a permission, not because the access key is invalid. */
function lacksPermission({ code, reason }: AppError): boolean {
  const isOfPermission = reason === undefined || reason === 'denied' || reason === 'anonymous-refused';
  return code === 'access-denied' && isOfPermission;
}

/** Uses `status` for a lost connection to the core, which the window's banner already announces. */
const roleOf = ({ code }: AppError): 'alert' | 'status' => (code === 'disconnected' ? 'status' : 'alert');

/** Shows an error in plain words. A click shows the service's message. */
export function ErrorNotice({
  error,
  onRetry,
  isReading = false,
  permission,
  variant = 'line',
  actions,
}: ErrorNoticeProps) {
  const { t } = useTranslation();
  const words = errorWords(error);
  const isDenied = error.code === 'access-denied';
  const Icon = isDenied ? Lock : CircleAlert;
  return (
    <div className={classes[variant]} role={roleOf(error)} data-code={error.code}>
      <div className={joinClasses(common.bad, common.fixed, classes.icon)} data-denied={isDenied} aria-hidden>
        <Icon size={variant === 'page' ? 28 : 16} />
      </div>
      <Stack gap={variant === 'page' ? 'xs' : 4} className={classes.words}>
        {variant === 'page' ? (
          <Title order={2} fz="lg">
            {t(`${words}.title`)}
          </Title>
        ) : (
          <Text fw={600} size="sm">
            {t(`${words}.title`)}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t(`${words}.body`)}
        </Text>
        {error.reason === 'refused-by-service' && error.s3?.message ? (
          <Text size="sm">{error.s3.message}</Text>
        ) : null}
        {permission !== undefined && lacksPermission(error) ? (
          <Text size="sm">{t('errors.missingPermission', { permission })}</Text>
        ) : null}
        {error.host === undefined ? null : <Text size="sm">{t('errors.leadsTo', { host: error.host })}</Text>}
        {error.retryAfterMs === undefined ? null : (
          <RetryWait
            key={error.retryAfterMs}
            waitMs={error.retryAfterMs}
            onOver={isReading ? onRetry : undefined}
          />
        )}
        {onRetry === undefined && actions === undefined ? null : (
          <Flex wrap="wrap" gap="xs" mt={4}>
            {onRetry === undefined ? null : (
              <Button variant="default" leftSection={<RotateCw size={14} aria-hidden />} onClick={onRetry}>
                {t(error.retryAfterMs === undefined ? 'common.retry' : 'common.tryNow')}
              </Button>
            )}
            {actions}
          </Flex>
        )}
        <ErrorFacts error={error} />
      </Stack>
    </div>
  );
}

interface RetryWaitProps {
  readonly waitMs: number;
  /** Called once when the wait is over. Undefined if the user retries. */
  readonly onOver: (() => void) | undefined;
}

/** Counts down the wait that the service asked for. Screen readers announce it only once. */
function RetryWait({ waitMs, onOver }: RetryWaitProps) {
  const { t } = useTranslation();
  const totalSeconds = Math.ceil(waitMs / 1000);
  const [secondsLeft, setSecondsLeft] = useState(totalSeconds);
  const { stop } = useInterval(() => setSecondsLeft((before) => Math.max(0, before - 1)), 1000, {
    autoInvoke: true,
  });
  const isOver = secondsLeft === 0;
  useEffect(() => {
    if (!isOver) return;
    stop();
    onOver?.();
    // Runs once, since another failure mounts another notice.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isOver]);
  const text = onOver === undefined ? 'errors.retryAfter' : 'errors.retryIn';
  return (
    <Text size="sm">
      <VisuallyHidden>{t(text, { count: totalSeconds })}</VisuallyHidden>
      <span aria-hidden>{isOver ? t('errors.waitOver') : t(text, { count: secondsLeft })}</span>
    </Text>
  );
}

function ErrorFacts({ error }: { readonly error: AppError }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const id = useId();
  const facts = errorFacts(error);
  const text = facts.map(({ name, value }) => `${t(`errors.fields.${name}`)}: ${value}`).join('\n');
  return (
    <Box w="100%">
      <button
        type="button"
        className={joinClasses(common.hint, classes.toggle)}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        <ChevronRight size={14} aria-hidden data-open={open} className={classes.chevron} />
        {t(error.s3 === undefined ? 'common.details' : open ? 'errors.hideDetails' : 'errors.details')}
      </button>
      <div id={id} hidden={!open}>
        <dl className={classes.list}>
          {facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{t(`errors.fields.${name}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        <CopyButton value={text} label={t('errors.copyDetails')} withText />
      </div>
    </Box>
  );
}
