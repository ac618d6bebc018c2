import { beforeAll, expect, it } from 'vitest';
import type { TFunction } from 'i18next';
import { whyText } from '../../../../renderer/features/jobs/job-items.tsx';
import { errorCodes, failure } from '../../../../shared/errors.ts';
import { englishWords } from '../words.ts';

let t: TFunction;
beforeAll(async () => {
  t = await englishWords();
});

it('says why an item failed, in words that fit a file', () => {
  const gone = failure('storage', 'x', { reason: 'file-missing' }).error;
  expect(whyText(gone, t)).toBe('the file is no longer there');
  for (const code of errorCodes)
    expect(whyText(failure(code, 'x').error, t)).not.toMatch(/^(?:jobs|errors)\./u);
});
