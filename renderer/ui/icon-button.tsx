import { ActionIcon, type ActionIconProps, Tooltip } from '@mantine/core';
import { Info, type LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';

interface IconButtonProps
  extends ActionIconProps, Pick<ComponentProps<'button'>, 'ref' | 'id' | 'tabIndex' | 'onClick'> {
  /** The name of the button. */
  readonly label: string;
  /** The tooltip, if it differs from the name, for example because it includes the keys. */
  readonly tip?: string;
  readonly icon: LucideIcon;
  readonly iconPx?: number;
}

/** A button that shows an icon, and its name in a tooltip. The children are shown after the icon. */
export function IconButton(props: IconButtonProps) {
  const { label, tip = label, icon: Icon, iconPx = 16, children, ...rest } = props;
  return (
    <Tooltip label={tip}>
      <ActionIcon aria-label={label} {...rest}>
        <Icon size={iconPx} aria-hidden />
        {children}
      </ActionIcon>
    </Tooltip>
  );
}

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
