import { Injectable } from '@nestjs/common';
import { Clock } from '../time/clock';
import { quotaModel, type Access, type QuotaModel, type QuotaSettings, type Refusal } from './quota-models';

/** The quota in force; can be exchanged while the mock runs. */
@Injectable()
export class QuotaGate {
  private settings: QuotaSettings;
  private model: QuotaModel;

  constructor(
    private readonly initial: QuotaSettings,
    private readonly clock: Clock,
  ) {
    this.settings = initial;
    this.model = quotaModel(initial);
  }

  take(access: Access, user: string): Refusal | undefined {
    return this.model.take(access, user, this.clock.nowMs());
  }

  use(settings: QuotaSettings): void {
    this.settings = settings;
    this.model = quotaModel(settings);
  }

  /** All places free again; the settings stay. */
  refill(): void {
    this.model = quotaModel(this.settings);
  }

  /** As at the start. */
  reset(): void {
    this.use(this.initial);
  }

  describe(): Record<string, unknown> {
    return { ...this.settings, used: this.model.used(this.clock.nowMs()) };
  }
}
