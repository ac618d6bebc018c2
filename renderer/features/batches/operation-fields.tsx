import { NumberInput, Select, TextInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { aws } from '../../../shared/providers/aws.ts';
import common from '../../ui/common.module.css';
import type { FieldsProps } from './batch-form.ts';

const plain = { spellCheck: false, autoComplete: 'off', autoCapitalize: 'off' } as const;

/** The fields for the operation on each object, except deletion, which has separate fields. */
export function OperationFields({ form, onChange, problemOf }: FieldsProps) {
  const { t } = useTranslation();
  switch (form.kind) {
    case 'tag':
      return (
        <Textarea
          size="xs"
          {...plain}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          label={t('batches.tags')}
          description={t('batches.tagsHint')}
          placeholder={t('batches.tagsExample')}
          value={form.tags}
          error={problemOf('tags')}
          onChange={(event) => onChange({ tags: event.currentTarget.value })}
        />
      );
    case 'copy':
      return (
        <div className={common.columns} data-align="end">
          <TextInput
            {...plain}
            label={t('batches.targetBucket')}
            value={form.targetBucket}
            error={problemOf('targetBucket')}
            onChange={(event) => onChange({ targetBucket: event.currentTarget.value })}
          />
          <TextInput
            {...plain}
            label={t('batches.targetPrefix')}
            placeholder={t('batches.noPrefix')}
            value={form.targetPrefix}
            error={problemOf('targetPrefix')}
            onChange={(event) => onChange({ targetPrefix: event.currentTarget.value })}
          />
          <Select
            size="xs"
            label={t('batches.storageClass')}
            allowDeselect={false}
            value={form.storageClass}
            data={[
              { value: '', label: t('batches.sameClass') },
              ...aws.quirks.storageClasses.map((value) => ({ value, label: value })),
            ]}
            onChange={(value) => onChange({ storageClass: value ?? '' })}
          />
        </div>
      );
    case 'restore':
      return (
        <div className={common.columns} data-align="end">
          <NumberInput
            size="xs"
            label={t('batches.days')}
            min={1}
            allowDecimal={false}
            value={form.days}
            error={problemOf('days')}
            onChange={(value) => onChange({ days: String(value) })}
          />
          <Select
            size="xs"
            label={t('batches.tier')}
            allowDeselect={false}
            value={form.tier}
            data={(['BULK', 'STANDARD'] as const).map((value) => ({
              value,
              label: t(`batches.tiers.${value}`),
            }))}
            onChange={(value) => onChange({ tier: value === 'STANDARD' ? 'STANDARD' : 'BULK' })}
          />
        </div>
      );
    case 'expire':
      return null;
    default:
      return form.kind satisfies never;
  }
}
