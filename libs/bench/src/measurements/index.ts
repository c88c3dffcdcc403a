import type { Measurement } from '../measurement';
import { readBesideGet } from './1-read-beside-get';
import { readBesideCaseStudy } from './2-read-beside-case-study';
import { pageOfLargeSheet } from './3-page-of-large-sheet';
import { writeBesideQueueAdd } from './4-write-beside-queue-add';
import { drain } from './5-drain';
import { quotaDecision } from './6-quota-decision';
import { viewMemory } from './7-view-memory';
import { nginxCache } from './8-nginx-cache';

export const MEASUREMENTS: readonly Measurement[] = [
  readBesideGet,
  readBesideCaseStudy,
  pageOfLargeSheet,
  writeBesideQueueAdd,
  drain,
  quotaDecision,
  viewMemory,
  nginxCache,
];
