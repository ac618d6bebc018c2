import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { joinClasses } from '../../../ui/class-names.ts';
import common from '../../../ui/common.module.css';
import type { GridColumn } from '../../../ui/table/grid-props.ts';
import { VirtualGrid } from '../../../ui/table/virtual-grid.tsx';
import { useViewerActions } from '../frame/frame.tsx';
import classes from '../tables.module.css';
import {
  canOpen,
  type DocumentTreeRow,
  pathTo,
  stepOf,
  toggleExpanded,
  maxNodeTextLength,
  maxWholeNodeTextLength,
  shortenText,
  type TreeNode,
} from './tree-node.ts';

const rowHeightPx = 24;
const indentPx = 16;
/** Deeper levels are not indented further; they show their depth instead. */
const deepestIndent = 24;

const evenWidths = ['minmax(180px, 2fr)', 'minmax(0, 3fr)'] as const;

interface TreeTableProps {
  readonly rows: readonly DocumentTreeRow[];
  readonly onRows: (rows: readonly DocumentTreeRow[]) => void;
  readonly name: string;
  /** Widths of the columns, as in grid-template-columns. */
  readonly widths?: readonly [name: string, value: string];
  readonly onRange?: (first: number, last: number) => void;
}

function columnsOf(
  widths: readonly [name: string, value: string],
  onToggle: (row: DocumentTreeRow) => void,
  t: TFunction,
): readonly GridColumn<DocumentTreeRow>[] {
  return [
    {
      id: 'name',
      label: t('viewers.tree.name'),
      width: widths[0],
      cell: (row) => <NameCell row={row} onToggle={() => onToggle(row)} />,
    },
    {
      id: 'value',
      label: t('viewers.tree.value'),
      width: widths[1],
      cell: ({ node }) => <ValueCell node={node} />,
    },
  ];
}

/** Shows a tree. Only visible rows are elements; arrows, Enter and Space open and close. */
export function TreeTable({ rows, onRows, name, widths = evenWidths, onRange }: TreeTableProps) {
  const { t } = useTranslation();
  const { isBare = false } = useViewerActions();
  const [active, setActive] = useState(0);
  const [isWhole, setWhole] = useState(false);
  const shown = rows[active]?.node;
  const isCut = shown !== undefined && shown.text.length > maxNodeTextLength && !isBare;
  const toggle = (at: number): void => onRows(toggleExpanded(rows, at));
  return (
    <div className={classes.tree} data-keeps-arrows>
      <div className={classes.grid}>
        <VirtualGrid
          label={t('viewers.tree.label', { name })}
          columns={columnsOf(widths, (row) => toggle(rows.indexOf(row)), t)}
          rowCount={rows.length}
          rowHeightPx={rowHeightPx}
          active={active}
          onActive={setActive}
          rowAt={(at) => rows[at]}
          idOf={(row) => row.node}
          onOpen={(row, at) => {
            if (canOpen(row)) toggle(at);
            else if (isCut) setWhole(!isWhole);
          }}
          takesKeyboard
          branchOf={(row) => ({
            level: row.level,
            isOpen: canOpen(row) ? row.isOpen : null,
            position: row.position,
            siblings: row.siblings,
          })}
          onKey={(event) => {
            if (event.altKey || event.ctrlKey || event.metaKey) return;
            const step = stepOf(event.key, rows, active);
            if (step.kind === 'none') return;
            event.preventDefault();
            if (step.kind === 'toggle') toggle(active);
            else setActive(step.to);
          }}
          {...(onRange === undefined ? {} : { onRange })}
        />
      </div>
      <div className={classes.pathBar}>
        <p className={joinClasses(common.cut, classes.nodePath)} title={t('viewers.tree.path')}>
          {pathTo(rows, active).join(' › ') || t('viewers.tree.root')}
        </p>
        {isCut ? (
          <Button
            size="compact-xs"
            variant="subtle"
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
          >
            {t(isWhole ? 'viewers.tree.hideWhole' : 'viewers.tree.showWhole')}
          </Button>
        ) : null}
      </div>
      {isCut && isWhole ? <NodeValue key={active} text={shown.text} /> : null}
    </div>
  );
}

function NameCell({ row, onToggle }: { readonly row: DocumentTreeRow; readonly onToggle: () => void }) {
  const { t } = useTranslation();
  const { node, level, isOpen } = row;
  return (
    <span
      className={classes.nodeName}
      style={{ paddingInlineStart: Math.min(level - 1, deepestIndent) * indentPx }}
    >
      {canOpen(row) ? (
        // The grid has focus and handles the keys of its rows.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <span role="presentation" className={classes.toggle} data-open={isOpen} onClick={onToggle}>
          <ChevronRight size={14} aria-hidden />
        </span>
      ) : (
        <span className={classes.toggle} />
      )}
      <span className={joinClasses(common.cut, common.mono, classes.label)} data-kind={node.kind}>
        {node.name === '' ? nameless(row, t) : node.name}
      </span>
    </span>
  );
}

function nameless({ node, level }: DocumentTreeRow, t: TFunction): string {
  switch (node.kind) {
    case 'comment':
      return t('viewers.tree.comment');
    case 'text':
      return t('viewers.tree.text');
    case 'more':
    case 'broken':
      return '';
    default:
      return level === 1 ? t('viewers.tree.root') : '""';
  }
}

function ValueCell({ node }: { readonly node: TreeNode }) {
  const { t } = useTranslation();
  if (node.kind === 'more')
    return <span className={classes.nodeNote}>{t('viewers.tree.more', { count: node.count })}</span>;
  const isContainer =
    node.kind === 'object' || node.kind === 'array' || (node.kind === 'element' && !node.text);
  return isContainer ? (
    <span className={classes.nodeNote}>
      {node.text === '' ? null : `${shortText(node)} · `}
      {t('viewers.tree.items', { count: node.count })}
    </span>
  ) : (
    <span className={joinClasses(common.cut, common.mono, classes.value)} data-kind={node.kind}>
      {shortText(node)}
    </span>
  );
}

function shortText({ text }: TreeNode): string {
  return shortenText(text, maxNodeTextLength);
}

/** Shows the full text of a value below the tree, if its row shows only the beginning. */
function NodeValue({ text }: { readonly text: string }) {
  const { t } = useTranslation();
  return (
    <section
      className={classes.nodeText}
      aria-label={t('viewers.tree.value')}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- so that the keyboard can scroll it
      tabIndex={0}
    >
      {shortenText(text, maxWholeNodeTextLength)}
    </section>
  );
}
