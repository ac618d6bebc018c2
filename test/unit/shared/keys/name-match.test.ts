import { expect, test } from 'vitest';
import {
  findWord,
  foldName,
  matchRank,
  typedWords,
  type WordMatch,
} from '../../../../shared/keys/name-match.ts';

const find = (name: string, word: string): WordMatch | null => findWord(name, foldName(name), word);
const rankOf = (name: string, word: string): number | undefined => find(name, word)?.rank;

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
  expect(findWord('unfinal final', 'unfinal final', 'final')).toEqual({
    rank: matchRank.wordStart,
    at: 8,
    end: 13,
  });
});

test('typed words are folded, and each counts once', () => {
  expect(typedWords('  ОТЧЁТ  Май май ')).toEqual(['отчет', 'май']);
  expect(rankOf('Отчёт за май', 'отчет')).toBe(matchRank.start);
});

test('a letter that folds to two units still matches, and does not shift the matches behind it', () => {
  expect(find('İstanbul', 'stanbul')).toEqual({ rank: matchRank.inside, at: 1, end: 8 });
  expect(find('İstanbul report', 'report')).toEqual({ rank: matchRank.wordStart, at: 9, end: 15 });
  expect(find('a İz', foldName('İz'))).toEqual({ rank: matchRank.wordStart, at: 2, end: 4 });
});
