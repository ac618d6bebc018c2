import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { redirectProtocols, type FormOf } from '../../../../shared/models/bucket-settings.ts';

interface Props {
  readonly form: FormOf<'website'>;
  readonly onChange: (form: FormOf<'website'>) => void;
}

/** The pages of a website, or the host that all of its requests are redirected to. */
export function WebsiteForm({ form, onChange }: Props) {
  const { t } = useTranslation();
  const field = (name: 'indexDocument' | 'errorDocument' | 'redirectHost') => ({
    label: t(`buckets.website.${name}`),
    value: form[name],
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      onChange({ ...form, [name]: event.currentTarget.value }),
  });
  return (
    <Stack gap="sm">
      <Radio.Group
        aria-label={t('buckets.settings.names.website')}
        value={form.kind}
        onChange={(kind) => onChange({ ...form, kind: kind === 'redirect' ? 'redirect' : 'pages' })}
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
            onChange={(value) => {
              const redirectProtocol = redirectProtocols.find((protocol) => protocol === value);
              if (redirectProtocol !== undefined) onChange({ ...form, redirectProtocol });
            }}
          />
        </>
      )}
    </Stack>
  );
}
