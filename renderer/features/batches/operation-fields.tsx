import { NumberInput, Select, TextInput, Textarea } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { aws } from '../../../shared/providers/aws.ts';
import common from '../../ui/common.module.css';
import { numberField, textField, type FieldsProps } from './batch-form.ts';

/** The fields for the operation on each object, except deletion, which has separate fields. */
export function OperationFields(props: FieldsProps) {
  const { form, onChange } = props;
  const { t } = useTranslation();
  switch (form.kind) {
    case 'tag':
      return (
        <Textarea
          size="xs"
          {...textField(props, 'tags')}
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          label={t('batches.tags')}
          description={t('batches.tagsHint')}
          placeholder={t('batches.tagsExample')}
        />
      );
    case 'copy':
      return (
        <div className={common.columns} data-align="end">
          <TextInput {...textField(props, 'targetBucket')} label={t('batches.targetBucket')} />
          <TextInput
            {...textField(props, 'targetPrefix')}
            label={t('batches.targetPrefix')}
            placeholder={t('batches.noPrefix')}
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
          <NumberInput {...numberField(props, 'days')} label={t('batches.days')} min={1} />
          <Select
            size="xs"
            label={t('batches.tier')}
            allowDeselect={false}
            value={form.tier}
            data={(['BULK', 'STANDARD'] as const).map((value) => ({
              value,
              label: t(`batches.tiers.${value}`),
            }))}
            onChange={(tier) => onChange({ tier: tier ?? 'BULK' })}
          />
        </div>
      );
    case 'expire':
      return null;
    default:
      return form.kind satisfies never;
  }
}
