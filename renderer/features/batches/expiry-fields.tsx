import { Button, Loader, NumberInput, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { failure } from '../../../shared/errors.ts';
import type { BatchTag, ExpiryRule } from '../../../shared/models/batches.ts';
import type { SettingsOutcome } from '../../../shared/models/bucket-settings.ts';
import type { Place } from '../../../shared/models/objects.ts';
import { orpc, rpc } from '../../rpc/client.ts';
import { appErrorOf } from '../../rpc/errors.ts';
import { FailureNotice } from '../../rpc/failure-notice.tsx';
import { Warning } from '../../ui/dialog/dialog.tsx';
import { useRestoreSettings } from '../../rpc/use-restore-settings.ts';
import { StoredDifferences } from '../../ui/differences/stored-differences.tsx';
import { ErrorNotice } from '../../ui/words/error-notice.tsx';
import { type FieldsProps, numberField, readExpiryTag, textField, parseWholeNumber } from './batch-form.ts';
import common from '../../ui/common.module.css';
import { useLatestMutation } from '../../ui/use-stable.ts';

const settledMs = 400;

/** Fields for deletion by a tag. They show the tag, the lifecycle rule that uses it, and the effect on stored versions. */
export function ExpiryFields({ place, ...props }: FieldsProps & { readonly place: Place }) {
  const { t } = useTranslation();
  const [typed] = useDebouncedValue(props.form, settledMs);
  const tag = readExpiryTag(typed);
  const days = parseWholeNumber(typed.expireDays, 1, 36_500);
  const status = useQuery(orpc.versions.status.queryOptions({ input: place, staleTime: 0, retry: false }));
  const versioning = status.data?.versioning ?? 'unknown';
  const keeps =
    versioning === 'enabled' || versioning === 'suspended'
      ? 'versions'
      : versioning === 'unknown'
        ? 'unknown'
        : 'nothing';
  return (
    <>
      <Warning title={t('batches.expire.title')}>
        {t('batches.expire.how')} {t(`batches.expire.keeps.${keeps}`)}
      </Warning>
      <div className={common.columns} data-align="end">
        <TextInput {...textField(props, 'expireKey')} label={t('batches.expire.key')} />
        <TextInput {...textField(props, 'expireValue')} label={t('batches.expire.value')} />
        <NumberInput {...numberField(props, 'expireDays')} label={t('batches.expire.days')} min={1} />
      </div>
      {tag === null || days === null ? null : <Rule place={place} tag={tag} days={days} />}
    </>
  );
}

interface RuleProps {
  readonly place: Place;
  readonly tag: BatchTag;
  readonly days: number;
}

/** Shows whether the bucket has the expiry rule. If not, shows the rule to add, and a button to add it. */
function Rule({ place, tag, days }: RuleProps) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const options = orpc.batches.expiryRule.queryOptions({
    input: { ...place, tag, days },
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
  const rule = useQuery(options);
  const [stored, setStored] = useState<SettingsOutcome | null>(null);
  const show = (outcome: SettingsOutcome): void => {
    const isShown = outcome.kind === 'differs' || outcome.kind === 'unread';
    setStored(isShown ? outcome : null);
    void queries.invalidateQueries({ queryKey: options.queryKey });
  };
  const restore = useRestoreSettings({ ...place, section: 'lifecycle' }, show);
  const add = useLatestMutation({
    mutationFn: async ({ text, fingerprint }: ExpiryRule) => {
      const saved = await rpc.bucketSettings.save({
        ...place,
        section: 'lifecycle',
        text: text ?? '',
        expected: fingerprint,
      });
      if (saved.kind === 'changed')
        throw failure('conflict', 'The lifecycle rules have changed meanwhile. Nothing was written.', {
          reason: 'precondition-failed',
          retry: 'after-fix',
        });
      return saved;
    },
    onSuccess: show,
    onError: async () => await queries.invalidateQueries({ queryKey: options.queryKey }),
  });
  if (stored !== null)
    return (
      <StoredDifferences
        outcome={stored}
        restore={restore}
        permission="s3:PutLifecycleConfiguration"
        onKeep={() => setStored(null)}
      />
    );
  if (rule.isPending)
    return (
      <div role="status" className={common.quiet}>
        <Loader size="xs" aria-hidden /> {t('batches.expire.looking')}
      </div>
    );
  const found = rule.data;
  if (found === undefined || found.state === 'unknown')
    return (
      <>
        <p>{t('batches.expire.unknown')}</p>
        {rule.error !== null || (found?.error ?? null) !== null ? (
          <ErrorNotice
            error={found?.error ?? appErrorOf(rule.error)}
            isReading
            permission="s3:GetLifecycleConfiguration"
            onRetry={() => void rule.refetch()}
          />
        ) : null}
      </>
    );
  return (
    <Stack className={common.framed} align="start" gap="xs" py="xs" px="sm" fz="sm">
      <p role="status">{t(found.state === 'there' ? 'batches.expire.there' : 'batches.expire.absent')}</p>
      {found.state === 'there' ? null : (
        <>
          <code>{t('batches.expire.rule', { tag: `${tag.key}=${tag.value}`, days, count: days })}</code>
          <Button
            variant="default"
            size="compact-sm"
            loading={add.isPending}
            onClick={() => add.mutate(found)}
          >
            {t('batches.expire.add', { bucket: place.bucket })}
          </Button>
        </>
      )}
      <FailureNotice error={add.error} permission="s3:PutLifecycleConfiguration" />
    </Stack>
  );
}
