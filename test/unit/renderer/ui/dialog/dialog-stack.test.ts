import { expect, test } from 'vitest';
import { dialogLevelOf } from '../../../../../renderer/ui/dialog/dialog-stack.ts';

test('only the two uppermost dialogs of a stack are visible, and Escape closes the uppermost', () => {
  const stack = [Symbol('first'), Symbol('second'), Symbol('third')];
  expect(stack.map((self) => dialogLevelOf(stack, self))).toEqual([
    { isUppermost: false, isBuried: true },
    { isUppermost: false, isBuried: false },
    { isUppermost: true, isBuried: false },
  ]);
  expect(dialogLevelOf(stack, Symbol('closed'))).toEqual({ isUppermost: false, isBuried: false });
});
