import { Autocomplete, Checkbox, Select, Stack, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { orpc } from '../../../rpc/client.ts';
import { CustomerKeyField } from './customer-key-field.tsx';
import type { UploadDraft, UploadProblems } from './upload-form.ts';

interface UploadFieldsProps {
  readonly connectionId: string;
  readonly bucket: string;
  readonly draft: UploadDraft;
  readonly problems: UploadProblems;
  readonly onChange: (change: Partial<UploadDraft>) => void;
}

const encryptions: readonly UploadDraft['encryption'][] = ['none', 'service', 'kms', 'customer'];
const cacheControls = ['no-cache', 'max-age=3600', 'public, max-age=31536000, immutable'];

/** Fields for how objects are stored. An empty field means the default of the bucket, or a value derived from the file's name. */
export function UploadFields({ connectionId, bucket, draft, problems, onChange }: UploadFieldsProps) {
  const { t } = useTranslation();
  const classes = useQuery(orpc.properties.storageClasses.queryOptions({ input: { connectionId } }));
  const problem = (field: keyof UploadDraft): string | undefined => {
    const found = problems[field];
    return found === undefined ? undefined : t(`jobs.uploadOptions.problems.${found}`);
  };
  const plain = { size: 'sm', spellCheck: false, autoComplete: 'off' } as const;
  return (
    <Stack gap="sm">
      <Autocomplete
        {...plain}
        data-autofocus
        label={t('jobs.uploadOptions.storageClass')}
        description={t('jobs.uploadOptions.storageClassDescription')}
        placeholder={t('jobs.uploadOptions.usual')}
        data={classes.data?.offered ?? []}
        value={draft.storageClass}
        onChange={(storageClass) => onChange({ storageClass })}
      />
      <Autocomplete
        {...plain}
        label={t('jobs.uploadOptions.cacheControl')}
        placeholder={t('jobs.uploadOptions.unset')}
        data={cacheControls}
        value={draft.cacheControl}
        error={problem('cacheControl')}
        onChange={(cacheControl) => onChange({ cacheControl })}
      />
      <TextInput
        {...plain}
        label={t('jobs.uploadOptions.contentType')}
        placeholder={t('jobs.uploadOptions.fromName')}
        value={draft.contentType}
        error={problem('contentType')}
        onChange={(event) => onChange({ contentType: event.currentTarget.value })}
      />
      {(['metadata', 'tags'] as const).map((field) => (
        <Textarea
          key={field}
          {...plain}
          autosize
          minRows={2}
          maxRows={8}
          label={t(`jobs.uploadOptions.${field}`)}
          description={t(`jobs.uploadOptions.${field}Description`)}
          placeholder={t('jobs.uploadOptions.pairPlaceholder')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
          value={draft[field]}
          error={problem(field)}
          onChange={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      ))}
      <Select
        size="sm"
        label={t('jobs.uploadOptions.encryption')}
        description={t(`jobs.uploadOptions.encryptionDescriptions.${draft.encryption}`)}
        allowDeselect={false}
        data={encryptions.map((value) => ({ value, label: t(`jobs.uploadOptions.encryptions.${value}`) }))}
        value={draft.encryption}
        onChange={(encryption) => {
          if (encryption !== null) onChange({ encryption });
        }}
      />
      {draft.encryption === 'kms' ? (
        <TextInput
          {...plain}
          label={t('jobs.uploadOptions.kmsKeyId')}
          placeholder={t('jobs.uploadOptions.kmsUsual')}
          value={draft.kmsKeyId}
          error={problem('kmsKeyId')}
          onChange={(event) => onChange({ kmsKeyId: event.currentTarget.value })}
        />
      ) : null}
      {draft.encryption === 'customer' ? (
        <CustomerKeyField
          connectionId={connectionId}
          bucket={bucket}
          md5={draft.customerKeyMd5}
          error={problem('customerKeyMd5')}
          onChange={(customerKeyMd5) => onChange({ customerKeyMd5 })}
        />
      ) : null}
      <Checkbox
        checked={draft.takesLinksOut}
        label={t('jobs.uploadOptions.takesLinksOut')}
        description={t('jobs.uploadOptions.takesLinksOutHint')}
        onChange={(event) => onChange({ takesLinksOut: event.currentTarget.checked })}
      />
    </Stack>
  );
}
