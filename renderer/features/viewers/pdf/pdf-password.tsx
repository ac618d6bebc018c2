import { Button, PasswordInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ViewerFrame } from '../frame/frame.tsx';
import classes from '../pictures.module.css';

interface PdfPasswordProps {
  /** True if the last password did not open the document. */
  readonly isWrong: boolean;
  readonly onOpen: (password: string) => void;
}

/** Asks for the password of a document. The password is passed to pdf.js and not stored. */
export function PdfPassword({ isWrong, onOpen }: PdfPasswordProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  return (
    <ViewerFrame>
      <form
        className={classes.password}
        onSubmit={(event) => {
          event.preventDefault();
          if (password !== '') onOpen(password);
        }}
      >
        <PasswordInput
          label={t('viewers.pdf.password')}
          description={t('viewers.pdf.passwordHint')}
          error={isWrong ? t('viewers.pdf.passwordWrong') : null}
          value={password}
          data-autofocus
          data-keeps-arrows
          autoComplete="off"
          onChange={({ currentTarget }) => {
            setPassword(currentTarget.value);
          }}
        />
        <Button type="submit" disabled={password === ''}>
          {t('viewers.pdf.open')}
        </Button>
      </form>
    </ViewerFrame>
  );
}
