import { BadFormat } from '../frame/bytes.ts';
import { maxInnerValues } from '../columnar/value-text.ts';
import type { Value } from '../columnar/columnar-file.ts';
import { leafType, type LeafType } from './leaf-type.ts';
import type { LeafValues } from './nested-column.ts';
import { elementNode, type SchemaNode } from './schema-node.ts';
import { variantValue, type VariantCell } from './variant.ts';

/** The positions in one leaf that belong to a value. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** The spans of a node's leaves, in order. */
type Spans = readonly Span[];

interface Budget {
  left: number;
}

/**
 * Assembles the rows of a column with lists or structures, cut to `maxChars` characters. Levels distinguish an empty list from
 * null. Source: Melnik et al., "Dremel", section 4.
 */
export function rowAssembler(
  column: SchemaNode,
  leaves: readonly LeafValues[],
): (row: number, maxChars: number) => Value {
  const types = new Map<SchemaNode, LeafType>();
  const typeOf = (leaf: SchemaNode): LeafType => {
    const known = types.get(leaf) ?? leafType(leaf.element);
    types.set(leaf, known);
    return known;
  };
  /** Returns the values of a leaf of a node. */
  const valuesOf = (node: SchemaNode, leaf = 0): LeafValues => {
    const values = leaves[node.firstLeaf - column.firstLeaf + leaf];
    if (values === undefined) throw new BadFormat('A column lacks a part.');
    return values;
  };
  const definitionOf = (node: SchemaNode, spans: Spans): number =>
    valuesOf(node).definitions[spans[0]?.start ?? 0] ?? 0;

  /** Returns the value of a member. A repeated member without an annotation becomes a list. */
  const memberOf = (node: SchemaNode, spans: Spans, budget: Budget): Value =>
    node.repetition === 'REPEATED'
      ? { kind: 'list', items: itemsOf(node, spans, budget, (item) => present(node, item, budget)) }
      : optional(node, spans, budget);
  const optional = (node: SchemaNode, spans: Spans, budget: Budget): Value =>
    definitionOf(node, spans) < node.definition ? null : present(node, spans, budget);
  const itemsOf = <T>(
    node: SchemaNode,
    spans: Spans,
    budget: Budget,
    make: (item: Spans) => T,
  ): readonly T[] => {
    if (definitionOf(node, spans) < node.definition) return [];
    const items: T[] = [];
    let rest = spans;
    while (budget.left > 0 && rest.every(({ start, end }) => start < end)) {
      const item = rest.map(({ start, end }, leaf) => {
        const { repetitions } = valuesOf(node, leaf);
        let at = start + 1;
        while (at < end && (repetitions[at] ?? 0) > node.repeat) at += 1;
        return { start, end: at };
      });
      items.push(make(item));
      rest = rest.map(({ end }, leaf) => ({ start: item[leaf]?.end ?? end, end }));
    }
    return items;
  };
  const present = (node: SchemaNode, spans: Spans, budget: Budget): Value => {
    budget.left -= 1;
    switch (node.shape) {
      case 'leaf':
        return typeOf(node).valueOf(valuesOf(node).raws[spans[0]?.start ?? 0]);
      case 'variant':
        return variantValue(variantCell(node, spans, budget), budget.left);
      case 'list': {
        const repeated = onlyChild(node);
        const element = elementNode(node);
        const items = itemsOf(repeated, spans, budget, (item) =>
          element === repeated ? present(repeated, item, budget) : memberOf(element, item, budget),
        );
        return { kind: 'list', items };
      }
      case 'map': {
        const entry = onlyChild(node);
        const [key, value] = entry.children;
        const entries = itemsOf(entry, spans, budget, (item) => {
          if (key === undefined || value === undefined)
            throw new BadFormat('A map has no keys or no values.');
          const name = memberOf(key, spansOf(entry, item, key), budget);
          return [name, memberOf(value, spansOf(entry, item, value), budget)] as const;
        });
        return { kind: 'map', entries };
      }
      default:
        return { kind: 'struct', members: membersOf(node, spans, budget) };
    }
  };
  const membersOf = (
    node: SchemaNode,
    spans: Spans,
    budget: Budget,
  ): readonly (readonly [string, Value])[] => {
    const members: (readonly [string, Value])[] = [];
    for (const child of node.children) {
      if (budget.left <= 0) break;
      members.push([child.name, memberOf(child, spansOf(node, spans, child), budget)]);
    }
    return members;
  };
  /** Returns the cell of a variant, or of a part that is stored in columns. */
  const variantCell = (node: SchemaNode, spans: Spans, budget: Budget): VariantCell => {
    const child = (name: string): SchemaNode | undefined =>
      node.children.find((candidate) => candidate.name === name);
    const bytesOf = (name: string): Uint8Array | null => {
      const leaf = child(name);
      const raw = leaf === undefined ? null : valuesOf(leaf).raws[spansOf(node, spans, leaf)[0]?.start ?? 0];
      return raw instanceof Uint8Array ? raw : null;
    };
    const typed = child('typed_value');
    const cell = { metadata: bytesOf('metadata'), value: bytesOf('value') };
    if (typed === undefined) return { ...cell, typed: null };
    const typedSpans = spansOf(node, spans, typed);
    if (definitionOf(typed, typedSpans) < typed.definition) return { ...cell, typed: null };
    budget.left -= 1;
    if (typed.shape === 'list') {
      const element = elementNode(typed);
      const items = itemsOf(onlyChild(typed), typedSpans, budget, (item) =>
        variantCell(element, item, budget),
      );
      return { ...cell, typed: { kind: 'items', items } };
    }
    if (typed.shape === 'struct') {
      const members = typed.children.map(
        (member) => [member.name, variantCell(member, spansOf(typed, typedSpans, member), budget)] as const,
      );
      return { ...cell, typed: { kind: 'members', members } };
    }
    return { ...cell, typed: { kind: 'value', value: present(typed, typedSpans, budget) } };
  };

  return (row, maxChars) => {
    const spans = leaves.map(({ rowStarts }): Span => {
      const [start, end] = [rowStarts[row], rowStarts[row + 1]];
      if (start === undefined || end === undefined) throw new BadFormat('A column has too few rows.');
      return { start, end };
    });
    return memberOf(column, spans, { left: maxInnerValues(maxChars) });
  };
}

function onlyChild(node: SchemaNode): SchemaNode {
  const [child] = node.children;
  if (child === undefined) throw new BadFormat('A list has no elements.');
  return child;
}

/** Returns the spans of a node's child, among those of the node. */
function spansOf(parent: SchemaNode, spans: Spans, child: SchemaNode): Spans {
  const from = child.firstLeaf - parent.firstLeaf;
  return spans.slice(from, from + child.leafCount);
}
