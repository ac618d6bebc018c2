import { Switch, TextInput, Tooltip } from '@mantine/core';
import { ArrowDownToLine, ChevronDown, ChevronUp, type LucideIcon, Search, WrapText } from 'lucide-react';
import type { ReactNode, Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../../ui/icon-button.tsx';
import classes from '../texts.module.css';
import frame from '../viewers.module.css';

interface FindFieldProps {
  readonly label: string;
  readonly searchText: string;
  readonly onSearchText: (text: string) => void;
  /** Null for content that cannot be searched backwards. */
  readonly onPrevious: (() => void) | null;
  readonly onNext: () => void;
  readonly widthPx?: number;
  readonly field?: Ref<HTMLInputElement>;
}

/** A search field. Enter finds the next match, Shift+Enter the previous one. */
export function FindField({
  label,
  searchText,
  onSearchText,
  onPrevious,
  onNext,
  widthPx,
  field,
}: FindFieldProps) {
  return (
    <TextInput
      size="xs"
      ref={field}
      className={classes.find ?? ''}
      {...(widthPx === undefined ? {} : { w: widthPx })}
      aria-label={label}
      placeholder={label}
      leftSection={<Search size={14} aria-hidden />}
      value={searchText}
      data-keeps-arrows
      onChange={({ currentTarget }) => onSearchText(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || searchText === '') return;
        event.preventDefault();
        if (event.shiftKey && onPrevious !== null) onPrevious();
        else onNext();
      }}
    />
  );
}

export interface TextFind extends Omit<FindFieldProps, 'label'> {
  /** The result of the search. */
  readonly found: string | null;
}

/** A search field for text, with buttons for the matches and the result. */
export function FindTools({ found, ...search }: TextFind) {
  const { searchText, onPrevious, onNext } = search;
  const { t } = useTranslation();
  const isDisabled = searchText === '';
  return (
    <>
      <FindField label={t('viewers.text.find')} {...search} />
      {onPrevious === null ? null : (
        <Tool
          icon={ChevronUp}
          label={t('viewers.text.findPrevious')}
          isDisabled={isDisabled}
          onClick={onPrevious}
        />
      )}
      <Tool icon={ChevronDown} label={t('viewers.text.findNext')} isDisabled={isDisabled} onClick={onNext} />
      <span role="status" className={frame.toolText}>
        {found}
      </span>
    </>
  );
}

interface TextToolsProps {
  readonly find: TextFind;
  readonly isWrapped: boolean;
  readonly onWrap: (isWrapped: boolean) => void;
  /** Jumps to the end. Null in an editor, where a key does that. */
  readonly onEnd: (() => void) | null;
  /** Follows the end of a growing text. Null for a text that cannot grow. */
  readonly follow: { readonly isOn: boolean; readonly onChange: (isOn: boolean) => void } | null;
  readonly children?: ReactNode;
}

/** Shows the controls for every text: search, wrapping, a jump to the end. */
export function TextTools({ find, isWrapped, onWrap, onEnd, follow, children }: TextToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      <FindTools {...find} />
      <Tool
        icon={WrapText}
        label={t('viewers.text.wrap')}
        isPressed={isWrapped}
        onClick={() => onWrap(!isWrapped)}
      />
      {onEnd === null ? null : (
        <Tool icon={ArrowDownToLine} label={t('viewers.text.toEnd')} onClick={onEnd} />
      )}
      {follow === null ? null : (
        <Tooltip label={t('viewers.text.followHint')}>
          <Switch
            size="xs"
            label={t('viewers.text.follow')}
            checked={follow.isOn}
            onChange={({ currentTarget }) => follow.onChange(currentTarget.checked)}
          />
        </Tooltip>
      )}
      {children}
    </>
  );
}

interface ToolProps {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly isPressed?: boolean;
  readonly isDisabled?: boolean;
  readonly onClick: () => void;
}

/** A button with an icon. With `isPressed`, it is a toggle. */
export function Tool({ isPressed, isDisabled = false, ...button }: ToolProps) {
  return (
    <IconButton
      aria-pressed={isPressed}
      variant={isPressed === true ? 'light' : 'subtle'}
      disabled={isDisabled}
      {...button}
    />
  );
}

interface PageToolsProps {
  /** From 1. */
  readonly page: number;
  readonly pages: number;
  readonly onPage: (page: number) => void;
  /** Shown between the buttons. */
  readonly children?: ReactNode;
}

/** Buttons for the previous and the next page. */
export function PageTools({ page, pages, onPage, children }: PageToolsProps) {
  const { t } = useTranslation();
  return (
    <>
      <Tool
        icon={ChevronUp}
        label={t('viewers.pdf.previous')}
        isDisabled={page <= 1}
        onClick={() => onPage(page - 1)}
      />
      {children}
      <Tool
        icon={ChevronDown}
        label={t('viewers.pdf.next')}
        isDisabled={page >= pages}
        onClick={() => onPage(page + 1)}
      />
    </>
  );
}
