import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useReducer, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, PasswordInput, Stack } from '@mantine/core';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { AppError } from '../../../../shared/errors.ts';
import { appErrorOf } from '../../../rpc/errors.ts';
import { ViewerFailed, ViewerFrame, ViewerLoading, ViewerMessage } from '../frame/frame.tsx';
import type { ViewerProps } from '../frame/viewer.ts';
import { openPdf } from './open-pdf.ts';
import { PdfPages } from './pdf-pages.tsx';

type State =
  | { readonly kind: 'loading' }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'unread'; readonly error: AppError }
  | { readonly kind: 'locked'; readonly isWrong: boolean; readonly open: (password: string) => void }
  /** An open document. `unread` is the error for a part that could not be read. */
  | { readonly kind: 'open'; readonly document: PDFDocumentProxy; readonly unread: AppError | null };

/** Shows a PDF, whose ranges are read as its pages are shown. Ignores scripts, forms and links in the document. */
export function PdfView({ file }: ViewerProps) {
  const [tries, retry] = useReducer((times: number) => times + 1, 0);
  return <OpenedPdf file={file} onRetry={retry} key={tries} />;
}

function OpenedPdf({ file, onRetry }: ViewerProps & { readonly onRetry: () => void }) {
  const { t } = useTranslation();
  const { source } = file;
  const [state, setState] = useState<State>({ kind: 'loading' });
  useEffect(() => {
    let isOver = false;
    const become = (next: State | ((before: State) => State)): void => {
      if (!isOver) setState(next);
    };
    const opened = openPdf(source, {
      onPassword: (take, isWrong) => {
        become({
          kind: 'locked',
          isWrong,
          open: (password) => {
            become({ kind: 'loading' });
            take(password);
          },
        });
      },
      onUnread: (thrown) => {
        const error = appErrorOf(thrown);
        become((before) =>
          before.kind === 'open' ? { ...before, unread: error } : { kind: 'unread', error },
        );
      },
    });
    opened.document.then(
      (document) => {
        become({ kind: 'open', document, unread: null });
        return null;
      },
      () => become({ kind: 'damaged' }),
    );
    return () => {
      isOver = true;
      opened.close();
    };
  }, [source]);

  switch (state.kind) {
    case 'loading':
      return <ViewerLoading />;
    case 'damaged':
      return <ViewerMessage title={t('viewers.pdf.failed')} body={t('viewers.pdf.failedBody')} />;
    case 'unread':
      return <ViewerFailed error={state.error} onRetry={onRetry} />;
    case 'locked':
      return <PdfPassword isWrong={state.isWrong} onOpen={state.open} />;
    case 'open':
      return (
        <PdfPages
          document={state.document}
          name={file.name}
          failure={state.unread === null ? null : { error: state.unread, onRetry }}
        />
      );
    default:
      return assertNever(state);
  }
}

interface PdfPasswordProps {
  /** True if the last password did not open the document. */
  readonly isWrong: boolean;
  readonly onOpen: (password: string) => void;
}

/** Asks for the password of a document. The password is passed to pdf.js and not stored. */
function PdfPassword({ isWrong, onOpen }: PdfPasswordProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  return (
    <ViewerFrame>
      <Stack
        component="form"
        gap={12}
        w="min(320px, 90%)"
        style={{ placeSelf: 'center' }}
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
          onChange={({ currentTarget }) => setPassword(currentTarget.value)}
        />
        <Button type="submit" disabled={password === ''}>
          {t('viewers.pdf.open')}
        </Button>
      </Stack>
    </ViewerFrame>
  );
}
