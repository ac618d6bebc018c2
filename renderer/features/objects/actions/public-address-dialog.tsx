import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { publicBaseOf } from './copy-as.ts';

interface Props {
  readonly bucket: string;
  readonly base: string | null;
  /** Null removes the address. */
  readonly onSave: (base: string | null) => void;
  readonly onClose: () => void;
}

/** Asks for the base address at which a bucket's objects are public. */
export function PublicAddressDialog({ bucket, base, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(base ?? '');
  const [isChecked, setChecked] = useState(false);
  const known = publicBaseOf(typed);
  const isWrong = isChecked && known === null;
  return (
    <Dialog onClose={onClose} title={t('objects.copyAs.dialog.title', { bucket })} size={520}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          setChecked(true);
          if (known === null) return;
          onSave(known);
          onClose();
        }}
      >
        <Stack gap="md">
          <TextInput
            label={t('objects.copyAs.dialog.base')}
            placeholder={t('objects.copyAs.dialog.placeholder')}
            value={typed}
            spellCheck={false}
            autoComplete="off"
            error={isWrong ? t('objects.copyAs.dialog.invalid') : null}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            {t('objects.copyAs.dialog.help')}
          </Text>
          <Group justify="flex-end" gap="xs">
            {base === null ? null : (
              <Button
                variant="default"
                mr="auto"
                onClick={() => {
                  onSave(null);
                  onClose();
                }}
              >
                {t('objects.copyAs.dialog.forget')}
              </Button>
            )}
            <Button variant="default" onClick={onClose}>
              {t('common.cancel')}
            </Button>
            <Button type="submit">{t('objects.copyAs.dialog.save')}</Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
