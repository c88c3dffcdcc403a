/** Stands in for the module `k6/execution` in the tests: what the scripts use of it. The runner sets it before each iteration. */
import type * as Execution from 'k6/execution';

const execution = { scenario: { name: '', iterationInTest: 0 } };

export default execution satisfies { scenario: Pick<typeof Execution.scenario, 'name' | 'iterationInTest'> };
