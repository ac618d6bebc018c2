import { describe, expect, it } from 'vitest';
import {
  columnWidthsSchema,
  defaultWidths,
  fittingColumns,
  gridTemplate,
  resized,
} from '../../../../renderer/features/objects/columns.ts';

describe('columns', () => {
  it('drops the last ones first when there is no room for a name that can be read', () => {
    expect(fittingColumns(defaultWidths, 1000)).toEqual(['size', 'modified', 'storageClass']);
    expect(fittingColumns(defaultWidths, 480)).toEqual(['size', 'modified']);
    expect(fittingColumns(defaultWidths, 300)).toEqual(['size']);
    expect(fittingColumns(defaultWidths, 200)).toEqual([]);
  });

  it('takes no width that is too small to grab again or that would not be kept', () => {
    for (const width of [-10, 0, 63, 100.4, 9999])
      expect(columnWidthsSchema.safeParse(resized(defaultWidths, 'size', width)).success).toBe(true);
  });

  it('gives the name what the others leave', () => {
    expect(gridTemplate(defaultWidths, ['size'])).toBe('minmax(0, 1fr) 104px');
  });
});
