import type { SchemaElement, SchemaTree } from 'hyparquet/src/types.js';
import { BadFormat } from '../frame/bytes.ts';

/** A node in a Parquet schema, with the levels of its values. */
export interface SchemaNode {
  readonly name: string;
  readonly element: SchemaElement;
  readonly repetition: 'REQUIRED' | 'OPTIONAL' | 'REPEATED';
  /** The lowest definition level at which this node has a value. */
  readonly definition: number;
  /** The repetition level at which another value of this node begins. */
  readonly repeat: number;
  /** The path from the root to this node, in the form that hyparquet expects. */
  readonly path: readonly SchemaTree[];
  readonly shape: 'leaf' | 'struct' | 'list' | 'map' | 'variant';
  readonly children: readonly SchemaNode[];
  /** The position of the node's first leaf among the column chunks of a row group. */
  readonly firstLeaf: number;
  readonly leafCount: number;
}

const maxDepth = 100;

/** Returns the columns of a schema. Throws BadFormat if the schema is nested too deeply. */
export function columnNodes(root: SchemaTree): readonly SchemaNode[] {
  let leaves = 0;
  const build = (
    tree: SchemaTree,
    parent: Pick<SchemaNode, 'definition' | 'repeat' | 'path'>,
  ): SchemaNode => {
    if (parent.path.length > maxDepth) throw new BadFormat('The schema is too deep.');
    const { element } = tree;
    const repetition = element.repetition_type ?? 'REQUIRED';
    const levels = {
      definition: parent.definition + (repetition === 'REQUIRED' ? 0 : 1),
      repeat: parent.repeat + (repetition === 'REPEATED' ? 1 : 0),
      path: [...parent.path, tree],
    };
    const firstLeaf = leaves;
    if (tree.children.length === 0) leaves += 1;
    const children = tree.children.map((child) => build(child, levels));
    const node = { name: element.name, element, repetition, ...levels, children, firstLeaf };
    return { ...node, leafCount: leaves - firstLeaf, shape: shapeOf(element, children) };
  };
  const top = { ...root, element: { name: root.element.name } };
  return root.children.map((child) => build(child, { definition: 0, repeat: 0, path: [top] }));
}

/** Returns the shape of a node's values. Source: apache/parquet-format LogicalTypes.md, nested types. */
function shapeOf(element: SchemaElement, children: readonly SchemaNode[]): SchemaNode['shape'] {
  if (children.length === 0) return 'leaf';
  const type = element.logical_type?.type ?? element.converted_type;
  const [only] = children;
  const isOnlyChildRepeated = children.length === 1 && only?.repetition === 'REPEATED';
  if (type === 'LIST' && isOnlyChildRepeated) return 'list';
  // A map without values is shown as a list of its keys.
  if (type === 'MAP' || type === 'MAP_KEY_VALUE')
    return isOnlyChildRepeated ? (only.children.length === 2 ? 'map' : 'list') : 'struct';
  if (type === 'VARIANT' && children.some(({ name }) => name === 'metadata')) return 'variant';
  return 'struct';
}

/**
 * Returns the node for the elements of a list: the repeated node, or its only child. Source: apache/parquet-format
 * LogicalTypes.md, backward-compatibility rules of lists.
 */
export function elementNode(list: SchemaNode): SchemaNode {
  const [repeated] = list.children;
  if (repeated === undefined) throw new BadFormat('A list has no elements.');
  const [element] = repeated.children;
  if (element === undefined || repeated.children.length > 1) return repeated;
  if (element.repetition === 'REPEATED' || repeated.shape !== 'struct') return repeated;
  const isOldName = repeated.name === 'array' || repeated.name === `${list.name}_tuple`;
  return isOldName ? repeated : element;
}
