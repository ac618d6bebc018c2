import { ActionIcon, Tooltip } from '@mantine/core';
import { Info } from 'lucide-react';

interface InfoTipProps {
  /** Sentences that explain the line of text before the icon. */
  readonly notes: readonly string[];
}

/** An icon that shows notes about a line of text on hover or focus. Renders nothing without notes. */
export function InfoTip({ notes }: InfoTipProps) {
  if (notes.length === 0) return null;
  const text = notes.join(' ');
  return (
    <Tooltip label={text} multiline w={280} events={{ hover: true, focus: true, touch: true }}>
      <ActionIcon size="xs" aria-label={text} style={{ verticalAlign: 'text-bottom' }}>
        <Info size={13} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
