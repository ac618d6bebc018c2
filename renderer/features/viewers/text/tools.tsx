import { ActionIcon, Switch, TextInput, Tooltip } from '@mantine/core';
import { ArrowDownToLine, ChevronDown, ChevronUp, Search, WrapText } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import classes from '../texts.module.css';

interface TextToolsProps {
  readonly wanted: string;
  readonly onWanted: (text: string) => void;
  /** Finds the previous match, or null for a text that is read in pieces and cannot be searched backwards. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: () => void;
  /** The result of the search. */
  readonly found: string | null;
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
  /** Jumps to the end. Null in an editor, where a key does that. */
  readonly onEnd: (() => void) | null;
  /** Follows the end of a growing text. Null for a text that cannot grow. */
  readonly follow: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void } | null;
  readonly children?: ReactNode;
}

/** Shows the controls for every text: search, wrapping, a jump to the end. */
export function TextTools(props: TextToolsProps) {
  const { wanted, onWanted, onPrevious, onNext, found, isWrapped, onWrap, onEnd, follow, children } = props;
  const { t } = useTranslation();
  return (
    <>
      <TextInput
        size="xs"
        className={classes.find ?? ''}
        aria-label={t('viewers.text.find')}
        placeholder={t('viewers.text.find')}
        leftSection={<Search size={14} aria-hidden />}
        value={wanted}
        data-keeps-arrows
        onChange={({ currentTarget }) => {
          onWanted(currentTarget.value);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || wanted === '') return;
          event.preventDefault();
          if (event.shiftKey && onPrevious !== null) onPrevious();
          else onNext();
        }}
      />
      {onPrevious === null ? null : (
        <Tool label={t('viewers.text.findPrevious')} isDisabled={wanted === ''} onClick={onPrevious}>
          <ChevronUp size={16} aria-hidden />
        </Tool>
      )}
      <Tool label={t('viewers.text.findNext')} isDisabled={wanted === ''} onClick={onNext}>
        <ChevronDown size={16} aria-hidden />
      </Tool>
      <span role="status" className={classes.words}>
        {found}
      </span>
      <Tool
        label={t('viewers.text.wrap')}
        isPressed={isWrapped}
        onClick={() => {
          onWrap(!isWrapped);
        }}
      >
        <WrapText size={16} aria-hidden />
      </Tool>
      {onEnd === null ? null : (
        <Tool label={t('viewers.text.toEnd')} onClick={onEnd}>
          <ArrowDownToLine size={16} aria-hidden />
        </Tool>
      )}
      {follow === null ? null : (
        <Tooltip label={t('viewers.text.followHint')}>
          <Switch
            size="xs"
            label={t('viewers.text.follow')}
            checked={follow.isOn}
            onChange={({ currentTarget }) => {
              follow.onChange(currentTarget.checked);
            }}
          />
        </Tooltip>
      )}
      {children}
    </>
  );
}

interface ToolProps {
  readonly label: string;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

/** A button with an icon. With `isPressed`, it is a toggle. */
export function Tool({ label, isPressed, isDisabled = false, onClick, children }: ToolProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        aria-label={label}
        {...(isPressed === undefined ? {} : { 'aria-pressed': isPressed })}
        variant={isPressed === true ? 'light' : 'subtle'}
        disabled={isDisabled}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  );
}
