/** Lets clients work side by side, and one other alone: who closes it waits until those inside have left. */
export class Gate {
  private inside = 0;
  private closed: Promise<void> | undefined;
  private wakeCloser: (() => void) | undefined;

  async pass(): Promise<void> {
    while (this.closed !== undefined) await this.closed;
    this.inside += 1;
  }

  leave(): void {
    this.inside -= 1;
    if (this.inside === 0) this.wakeCloser?.();
  }

  async whileClosed(work: () => Promise<void>): Promise<void> {
    let open: () => void = () => undefined;
    this.closed = new Promise((resolve) => (open = resolve));
    try {
      if (this.inside > 0) await new Promise<void>((resolve) => (this.wakeCloser = resolve));
      await work();
    } finally {
      this.wakeCloser = undefined;
      this.closed = undefined;
      open();
    }
  }
}
