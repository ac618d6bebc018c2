import { subjectProblems, commitsOfBranch } from './check/change-of-branch.ts';

/** `npm run lint:commits`: checks the subjects of this branch's commits against the rules in CONTRIBUTING.md. */
const problems = subjectProblems(commitsOfBranch());
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
