import { Anchor, Button, FileButton, Group, Select, Stack, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { addressingSchema } from '../../../../shared/models/connection.ts';
import { descriptionBelow, useFieldProps, type ConnectionForm } from './use-connection-form.ts';
import type { ProxyKind } from '../model/connection-form-model.ts';

const proxyKinds: readonly ProxyKind[] = ['system', 'none', 'url'];

/** Rarely used settings: addressing style, certificate authority, proxy. */
export function AdvancedFields({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const { draft } = form;
  return (
    <Stack gap="sm">
      <Select
        size="sm"
        label={t('connectionForm.form.addressing')}
        description={t('connectionForm.form.addressingDescription')}
        inputWrapperOrder={descriptionBelow}
        data={addressingSchema.options.map((value) => ({
          value,
          label: t(`connectionForm.form.addressingKinds.${value}`),
        }))}
        value={draft.addressing}
        allowDeselect={false}
        onChange={(addressing) => addressing !== null && form.change({ addressing })}
      />
      <CertificateField form={form} />
      <Select
        size="sm"
        label={t('connectionForm.form.proxy')}
        data={proxyKinds.map((value) => ({ value, label: t(`connectionForm.form.proxyKinds.${value}`) }))}
        value={draft.proxyKind}
        allowDeselect={false}
        onChange={(proxyKind) => proxyKind !== null && form.change({ proxyKind })}
      />
      {draft.proxyKind === 'url' ? (
        <TextInput
          {...field('proxyUrl')}
          placeholder={t('connectionForm.form.proxyPlaceholder')}
          spellCheck={false}
        />
      ) : null}
      <Switch
        label={t('connectionForm.form.requesterPays')}
        description={t('connectionForm.form.requesterPaysDescription')}
        checked={draft.requesterPays}
        onChange={(event) => form.change({ requesterPays: event.currentTarget.checked })}
      />
    </Stack>
  );
}

/** Maximum size of a certificate file. A chain has some kilobytes, the bundle of a whole system some hundred kilobytes. */
const maxPemBytes = 1024 * 1024;

function CertificateField({ form }: { readonly form: ConnectionForm }) {
  const { t } = useTranslation();
  const field = useFieldProps(form);
  const [fileProblem, setFileProblem] = useState<string | null>(null);
  const props = field('caPem', t('connectionForm.form.caDescription'));

  const read = async (file: File | null) => {
    if (file === null) return;
    if (file.size > maxPemBytes) {
      setFileProblem(t('connectionForm.form.caTooLarge'));
      return;
    }
    try {
      form.change({ caPem: await file.text() });
      setFileProblem(null);
    } catch {
      setFileProblem(t('connectionForm.form.caUnreadable'));
    }
  };

  return (
    <Stack gap={6}>
      <Textarea
        {...props}
        error={fileProblem ?? props.error}
        placeholder="-----BEGIN CERTIFICATE-----"
        autosize
        minRows={2}
        maxRows={6}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 12 } }}
        onChange={(event) => {
          setFileProblem(null);
          form.change({ caPem: event.currentTarget.value });
        }}
      />
      <Group gap="xs">
        <FileButton accept=".pem,.crt,.cer,.ca-bundle" onChange={(file) => void read(file)}>
          {(button) => (
            <Button {...button} size="xs" variant="default">
              {t('connectionForm.form.caChoose')}
            </Button>
          )}
        </FileButton>
        {props.value === '' ? null : (
          <Anchor component="button" type="button" size="sm" onClick={() => form.change({ caPem: '' })}>
            {t('connectionForm.form.caClear')}
          </Anchor>
        )}
      </Group>
    </Stack>
  );
}
