/** Why `npm start` cannot go on, as one sentence that says what to do. */
export class LaunchProblem extends Error {
  constructor(
    sentence: string,
    /** The last words of a part that failed. */
    readonly lastLines: readonly string[] = [],
  ) {
    super(sentence);
    this.name = 'LaunchProblem';
  }
}
