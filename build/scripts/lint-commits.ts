import { commitsOfBranch } from './check/change-of-branch.ts';
import { subjectProblems } from './check/commit-subjects.ts';

/** `npm run lint:commits`: the subjects of this branch's commits. CONTRIBUTING.md says how they are written. */
const problems = subjectProblems(commitsOfBranch());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
