import { ActionIcon, Button, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Plus, Trash2 } from 'lucide-react';
import { useRef } from 'react';
import { assertNever } from '../../../../shared/assert-never.ts';
import { type BucketForm, type FormOf, redirectProtocols } from '../../../../shared/models/bucket-forms.ts';
import { CorsForm } from './cors-form.tsx';
import { InventoryForm } from './inventory-form.tsx';
import { LifecycleForm } from './lifecycle-form.tsx';
import type { FormProps } from './bucket-form-model.ts';
import common from '../../../ui/common.module.css';
import classes from '../parts/buckets.module.css';
import {
  plainField,
  LoggingForm,
  EncryptionForm,
  OwnershipForm,
  PaymentForm,
  PublicAccessForm,
  VersioningForm,
} from './simple-forms.tsx';

/** The form of an editable section. */
export function FormView({ form, onChange }: FormProps<BucketForm['section']>) {
  switch (form.section) {
    case 'versioning':
      return <VersioningForm form={form} onChange={onChange} />;
    case 'lifecycle':
      return <LifecycleForm form={form} onChange={onChange} />;
    case 'cors':
      return <CorsForm form={form} onChange={onChange} />;
    case 'tags':
      return <TagsForm form={form} onChange={onChange} />;
    case 'public-access':
      return <PublicAccessForm form={form} onChange={onChange} />;
    case 'encryption':
      return <EncryptionForm form={form} onChange={onChange} />;
    case 'inventory':
      return <InventoryForm form={form} onChange={onChange} />;
    case 'payment':
      return <PaymentForm form={form} onChange={onChange} />;
    case 'ownership':
      return <OwnershipForm form={form} onChange={onChange} />;
    case 'website':
      return <WebsiteForm form={form} onChange={onChange} />;
    case 'logging':
      return <LoggingForm form={form} onChange={onChange} />;
    case 'access':
    case 'object-lock':
      return null;
    default:
      return assertNever(form);
  }
}

/** The form for the pages of a website, or for the host to which all requests are redirected. */
function WebsiteForm({ form, onChange }: FormProps<'website'>) {
  const { t } = useTranslation();
  const field = (name: 'indexDocument' | 'errorDocument' | 'redirectHost') =>
    plainField(t(`buckets.website.${name}`), form[name], (value) => onChange({ ...form, [name]: value }));
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label={t('buckets.settings.names.website')}
        value={form.kind}
        onChange={(kind) => onChange({ ...form, kind })}
      >
        <Stack gap="sm">
          <Radio value="pages" label={t('buckets.website.pages')} />
          <Radio value="redirect" label={t('buckets.website.redirect')} />
        </Stack>
      </Radio.Group>
      {form.kind === 'pages' ? (
        <>
          <TextInput {...field('indexDocument')} description={t('buckets.website.indexHint')} />
          <TextInput {...field('errorDocument')} description={t('buckets.website.errorHint')} />
        </>
      ) : (
        <>
          <TextInput {...field('redirectHost')} />
          <Select
            label={t('buckets.website.protocol')}
            data={redirectProtocols.map((value) => ({
              value,
              label: value === '' ? t('buckets.website.sameProtocol') : value,
            }))}
            value={form.redirectProtocol}
            allowDeselect={false}
            onChange={(redirectProtocol) => {
              if (redirectProtocol !== null) onChange({ ...form, redirectProtocol });
            }}
          />
        </>
      )}
    </Stack>
  );
}

function TagsForm({ form, onChange }: FormProps<'tags'>) {
  const { t } = useTranslation();
  const rows = useRef<HTMLDivElement>(null);
  const { tags } = form;
  const set = (next: FormOf<'tags'>['tags']) => onChange({ ...form, tags: next });
  return (
    <Stack ref={rows} gap="sm" miw={0}>
      {tags.length === 0 ? <p className={common.quiet}>{t('buckets.tags.none')}</p> : null}
      {tags.map((tag, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the name of a tag changes while it is typed
        <div key={index} className={classes.tag}>
          <TextInput
            aria-label={`${t('buckets.tags.key')} ${String(index + 1)}`}
            placeholder={t('buckets.tags.key')}
            value={tag.key}
            spellCheck={false}
            autoComplete="off"
            error={
              tag.key !== '' && tags.some((earlier, at) => at < index && earlier.key === tag.key)
                ? t('buckets.tags.twice')
                : null
            }
            onChange={(event) => set(tags.with(index, { ...tag, key: event.currentTarget.value }))}
          />
          <TextInput
            aria-label={`${t('buckets.tags.value')} ${String(index + 1)}`}
            placeholder={t('buckets.tags.value')}
            value={tag.value}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => set(tags.with(index, { ...tag, value: event.currentTarget.value }))}
          />
          <ActionIcon
            size="lg"
            aria-label={t('buckets.tags.remove', { number: index + 1 })}
            onClick={() => set(tags.toSpliced(index, 1))}
          >
            <Trash2 size={16} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        leftSection={<Plus size={14} aria-hidden />}
        onClick={() => {
          set([...tags, { key: '', value: '' }]);
          requestAnimationFrame(() => {
            const fields = rows.current?.querySelectorAll('input') ?? [];
            fields[fields.length - 2]?.focus();
          });
        }}
      >
        {t('buckets.tags.add')}
      </Button>
    </Stack>
  );
}
