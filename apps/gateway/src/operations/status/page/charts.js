/** Charts over the last ten minutes, drawn by uPlot. What they show is also in the tables beside them. */
import { clock } from './words.js';

const AXIS_FONT = '11px system-ui, sans-serif';

export function colour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export class TimeChart {
  #plot;
  #host;
  #options;

  /**
   * `series`: { label, colour, dash?, bars? } each; `height` in pixels.
   * With `stacked`, each series is added to those before it.
   */
  constructor(host, options) {
    this.#host = host;
    this.#options = options;
    host.setAttribute('role', 'img');
    new ResizeObserver(() => this.#fit()).observe(host);
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.#restyle());
  }

  /**
   * `seconds`: the x values; `columns`: one list per series, null where nothing is known; `bands`: [from, to] in seconds, shaded;
   * `top`: the least that the y axis reaches; `words`: what the chart says, for those who do not see it.
   */
  show({ seconds, columns, bands = [], top = 1, range, words }) {
    this.last = { seconds, columns, bands, top, range, words };
    this.#host.setAttribute('aria-label', words);
    const data = [seconds, ...(this.#options.stacked ? stack(columns) : columns)];
    if (this.#plot === undefined) this.#plot = this.#draw(data);
    else this.#plot.setData(data);
  }

  #fit() {
    const width = this.#host.clientWidth;
    if (this.#plot !== undefined && width > 0 && width !== this.#plot.width)
      this.#plot.setSize({ width, height: this.#options.height });
  }

  #restyle() {
    this.#plot?.destroy();
    this.#plot = undefined;
    if (this.last !== undefined) this.show(this.last);
  }

  #draw(data) {
    const { series, height, stacked } = this.#options;
    const axis = { stroke: colour('quiet'), font: AXIS_FONT, grid: { stroke: colour('grid'), width: 1 }, ticks: { show: false } };
    const drawn = series.map((one) => ({
      label: one.label,
      stroke: colour(one.colour),
      width: one.bars ? 0 : 1.75,
      dash: one.dash,
      fill: one.bars ? colour(one.colour) : undefined,
      points: { show: false },
      paths: one.bars ? uPlot.paths.bars({ size: [0.85, 40], align: 1 }) : uPlot.paths.linear(),
    }));
    // The highest of a stack is drawn first, so that each shows only what it adds.
    if (stacked) drawn.reverse();
    return new uPlot(
      {
        width: Math.max(200, this.#host.clientWidth),
        height,
        legend: { show: false },
        cursor: { show: false },
        padding: [6, 8, 0, 0],
        scales: {
          x: { time: true, range: () => this.last.range },
          y: { range: (_plot, _min, max) => [0, Math.max(this.last.top, max ?? 0) * 1.06] },
        },
        axes: [
          { ...axis, size: 22, space: 70, values: (_plot, splits) => splits.map((at) => clock(at * 1000, false)) },
          { ...axis, size: 38, space: 26, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 50000, 100000] },
        ],
        series: [{}, ...drawn],
        hooks: { drawClear: [(plot) => this.#drawBands(plot)] },
      },
      data,
      this.#host,
    );
  }

  #drawBands(plot) {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
    ctx.clip();
    ctx.fillStyle = colour('band');
    for (const [from, to] of this.last.bands) {
      const left = plot.valToPos(from, 'x', true);
      ctx.fillRect(left, bbox.top, Math.max(2, plot.valToPos(to, 'x', true) - left), bbox.height);
    }
    ctx.restore();
  }
}

function stack(columns) {
  const below = [];
  const sums = columns.map((column) =>
    column.map((value, at) => (below[at] = value === null ? (below[at] ?? null) : (below[at] ?? 0) + value)),
  );
  return sums.reverse();
}
