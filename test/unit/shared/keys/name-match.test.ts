import { expect, test } from 'vitest';
import { findWord, foldName, matchRank, typedWords } from '../../../../shared/keys/name-match.ts';

const rankOf = (name: string, word: string): number | undefined => findWord(name, foldName(name), word)?.rank;

test('a whole name ranks before its start, a word start before any other position', () => {
  expect(rankOf('Report', 'report')).toBe(matchRank.whole);
  expect(rankOf('Reports 2026', 'report')).toBe(matchRank.start);
  expect(rankOf('annual-report.pdf', 'report')).toBe(matchRank.wordStart);
  expect(rankOf('nonreporting', 'report')).toBe(matchRank.inside);
  expect(rankOf('photos', 'report')).toBeUndefined();
});

test('a word starts after a separator, at a capital, and between letters and digits', () => {
  for (const name of ['img_final.png', 'imgFinal.png', '2026final', 'a/final', 'новый.final'])
    expect([name, rankOf(name, 'final')]).toEqual([name, matchRank.wordStart]);
  expect(rankOf('IMG2026', '2026')).toBe(matchRank.wordStart);
});

test('a later word start is found behind an earlier occurrence inside a word', () => {
  expect(findWord('unfinal final', 'unfinal final', 'final')).toEqual({ rank: matchRank.wordStart, at: 8 });
});

test('typed words are folded, and each counts once', () => {
  expect(typedWords('  ОТЧЁТ  Май май ')).toEqual(['отчет', 'май']);
  expect(rankOf('Отчёт за май', 'отчет')).toBe(matchRank.start);
});

test('a letter that folds to two units still matches', () => {
  expect(rankOf('İstanbul', 'stanbul')).toBe(matchRank.inside);
});
