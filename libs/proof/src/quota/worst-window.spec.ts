import { worstWindow } from './worst-window';

describe('the worst window', () => {
  it('is found wherever it begins, not only at whole seconds', () => {
    expect(worstWindow([500, 900, 1_499, 1_500], 1_000)).toBe(3);
    expect(worstWindow([1_500, 900, 500, 1_499, 1_898, 1_899], 1_000)).toBe(5);
    expect(worstWindow([], 1_000)).toBe(0);
  });

  it('does not hold its own end: a call one window after another is in the next', () => {
    expect(worstWindow([0, 1_000], 1_000)).toBe(1);
    expect(worstWindow([0, 999], 1_000)).toBe(2);
  });
});
