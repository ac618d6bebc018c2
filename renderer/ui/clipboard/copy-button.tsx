import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { useTimeout } from '@mantine/hooks';
import { Check, Copy } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useCallback, useState } from 'react';
import { copyText } from './copy-text.ts';

const shownMs = 1500;

interface Copying {
  readonly copied: boolean;
  readonly copy: (text: string) => Promise<void>;
}

/** Copies text to the clipboard and sets `copied` for a moment afterwards. */
export function useCopy(): Copying {
  const [copied, setCopied] = useState(false);
  const { start, clear } = useTimeout(() => setCopied(false), shownMs);
  const copy = useCallback(
    async (text: string) => {
      if (!(await copyText(text))) return;
      setCopied(true);
      clear();
      start();
    },
    [start, clear],
  );
  return { copied, copy };
}

interface CopyButtonProps {
  readonly value: string;
  /** The label, which names the copied value, such as "Copy the key". */
  readonly label: string;
  readonly withText?: boolean;
}

/** Copies a text and confirms it. */
export function CopyButton({ value, label, withText = false }: CopyButtonProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopy();
  const icon = copied ? <Check size={14} aria-hidden /> : <Copy size={14} aria-hidden />;
  const text = copied ? t('common.copied') : label;
  if (withText) {
    return (
      <Button variant="default" leftSection={icon} onClick={() => void copy(value)}>
        {text}
      </Button>
    );
  }
  return (
    <Tooltip label={text}>
      <ActionIcon size="sm" aria-label={text} onClick={() => void copy(value)}>
        {icon}
      </ActionIcon>
    </Tooltip>
  );
}
