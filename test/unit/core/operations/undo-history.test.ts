import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { undoStateOf, type PastOperation } from '../../../../electron/core/operations/objects/undo-plan.ts';

const pastOf = (id: string, atMs: number): PastOperation => ({
  id,
  begunMs: atMs,
  atMs,
  undoes: null,
  isRedo: false,
  isFinished: true,
});
const undo = (id: string, of: string, atMs: number, isRedo = false): PastOperation => ({
  ...pastOf(id, atMs),
  undoes: of,
  isRedo,
});

test('undo and redo step back and forward as in a text editor', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('do', 'undo', 'redo'), { maxLength: 40 }), (steps) => {
      const past: PastOperation[] = [];
      // Two stacks of names, as in a text editor.
      const done: string[] = [];
      const undone: string[] = [];
      /** Maps the id of a job to the operation to which it belongs. */
      const means = new Map<string, string>();
      for (const [at, step] of steps.entries()) {
        const state = undoStateOf(past);
        expect(state.isBusy).toBe(false);
        expect(state.undo === null ? undefined : means.get(state.undo.id)).toBe(done.at(-1));
        expect(state.redo === null ? undefined : means.get(state.redo.id)).toBe(undone.at(-1));
        const id = `j${String(at)}`;
        if (step === 'do') {
          past.push(pastOf(id, at));
          means.set(id, id);
          done.push(id);
          undone.length = 0;
          continue;
        }
        const from = state[step];
        if (from === null) continue;
        past.push(undo(id, from.id, at, step === 'redo'));
        means.set(id, means.get(from.id) ?? '');
        const moved = (step === 'undo' ? done : undone).pop();
        if (moved !== undefined) (step === 'undo' ? undone : done).push(moved);
      }
    }),
  );
});

test('an operation being undone is not offered again', () => {
  const running = { ...undo('u', 'a', 2), isFinished: false };
  expect(undoStateOf([pastOf('a', 1), running]).undo).toBeNull();
});

test('nothing older is offered for undo or redo while the latest operation runs', () => {
  const running = { ...pastOf('b', 3), isFinished: false };
  expect(undoStateOf([pastOf('a', 1), running])).toEqual({ undo: null, redo: null, isBusy: true });
  expect(undoStateOf([running])).toEqual({ undo: null, redo: null, isBusy: true });
  const undoing = { ...undo('u', 'b', 3), isFinished: false };
  expect(undoStateOf([pastOf('a', 1), pastOf('b', 2), undoing])).toEqual({
    undo: null,
    redo: null,
    isBusy: true,
  });
});

test('an older running operation does not block undoing a later one', () => {
  const long = { ...pastOf('a', 1), isFinished: false };
  expect(undoStateOf([long, pastOf('b', 2)])).toMatchObject({ undo: { id: 'b' } });
});
