import { insideOverTime, outcomesOverTime, peaksOverTime, slidingCounts } from './over-time';
import { latenciesBySource, quantile } from './quantiles';
import { request } from '../testing/records';

describe('the calls of a sliding window', () => {
  it('hold its end and not its beginning', () => {
    const counts = slidingCounts([100, 0, 1_000], { windowMs: 1_000, everyMs: 500, untilMs: 2_000 });
    expect(counts.map(({ atMs, value }) => [atMs, value])).toEqual([
      [0, 1],
      [500, 2],
      [1_000, 2],
      [1_500, 1],
      [2_000, 0],
    ]);
  });

  it('are none where nothing was called', () => {
    expect(slidingCounts([], { windowMs: 10, everyMs: 10, untilMs: 20 }).map(({ value }) => value)).toEqual([0, 0, 0]);
  });
});

describe('outcomes over time', () => {
  it('belong to the moment at which the request was due, each to one stretch', () => {
    const late = request(900, 'view', { doneMs: 5_000 });
    const buckets = outcomesOverTime([request(0, 'upstream'), late, request(1_000, 'refused')], 1_000, 2_500);
    expect(buckets.map(({ fromMs }) => fromMs)).toEqual([0, 1_000, 2_000]);
    expect(buckets.map(({ counts }) => [counts.upstream, counts.view, counts.refused])).toEqual([
      [1, 1, 0],
      [0, 0, 1],
      [0, 0, 0],
    ]);
  });
});

describe('what is pending', () => {
  it('goes up with each acceptance and down when it is settled; what never was stays', () => {
    const points = insideOverTime([{ fromMs: 10, toMs: 30 }, { fromMs: 20, toMs: 30 }, { fromMs: 40 }]);
    expect(points.map(({ atMs, value }) => [atMs, value])).toEqual([
      [0, 0],
      [10, 1],
      [20, 2],
      [30, 0],
      [40, 1],
    ]);
    expect(insideOverTime([])).toEqual([{ atMs: 0, value: 0 }]);
  });
});

describe('a curve that is thinned', () => {
  it('keeps the peak of each stretch, what held at its beginning, and how it ended', () => {
    const points = [
      [0, 0],
      [10, 5],
      [15, 1],
      [120, 3],
      [130, 0],
    ].map(([atMs, value]) => ({ atMs, value }));
    expect(peaksOverTime(points, 50).map(({ atMs, value }) => [atMs, value])).toEqual([
      [0, 5],
      [50, 1],
      [100, 3],
      [150, 0],
    ]);
  });
});

describe('percentiles', () => {
  it('are values that occurred, by nearest rank', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => at + 1);
    expect([0.5, 0.9, 0.99, 1].map((share) => quantile(hundred, share))).toEqual([50, 90, 99, 100]);
    expect([0, 0.5, 0.99].map((share) => quantile([7], share))).toEqual([7, 7, 7]);
    expect(quantile([], 0.5)).toBeNaN();
  });

  it('are told by where the answer came from, and only of sources that answered', () => {
    const latencies = latenciesBySource([
      request(0, 'view', { doneMs: 4 }),
      request(0, 'view', { doneMs: 8 }),
      request(0, 'accepted', { kind: 'write', doneMs: 30 }),
    ]);
    expect(latencies).toEqual([
      { source: 'read, view', count: 2, p50Ms: 4, p90Ms: 8, p99Ms: 8, maxMs: 8 },
      { source: 'write, accepted', count: 1, p50Ms: 30, p90Ms: 30, p99Ms: 30, maxMs: 30 },
    ]);
  });
});
