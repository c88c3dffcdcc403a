/** The Sheets v4 surface: which way each call goes, and how its answer is told. */
import { Inject, Injectable } from '@nestjs/common';
import { notFound, parseCall, type ParsedCall, type Route } from '@app/workbook';
import { CONFIGURATION } from '../core/tokens';
import type { Configuration } from '../configuration';
import type { Exchange } from '../rows/rows.service';
import { SPREADSHEET_ID } from '../rows/spreadsheet-id';
import { PassThroughV4 } from './pass-through-v4';
import { V4Reads } from './v4-reads';
import { V4Writes } from './v4-writes';

export interface V4Request {
  readonly method: string;
  /** As it came, without its query. */
  readonly rawPath: string;
  readonly query: URLSearchParams;
  /** As Fastify has read it; undefined where there is none. */
  readonly body: unknown;
  readonly route: Route;
  readonly exchange: Exchange;
}

export interface V4Answer {
  readonly status: number;
  readonly body: unknown;
}

@Injectable()
export class SheetsV4Service {
  constructor(
    private readonly reads: V4Reads,
    private readonly writes: V4Writes,
    private readonly passThrough: PassThroughV4,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
  ) {}

  /** @throws ApiError, CodedError */
  async answer(request: V4Request): Promise<V4Answer> {
    const { route } = request;
    const { protection } = this.configuration;
    if (route.spreadsheetId !== '' && !SPREADSHEET_ID.test(route.spreadsheetId)) throw notFound();
    if (protection === 'off' || protection === 'count' || (protection === 'reads' && route.method.access === 'write'))
      return await this.passThrough.forward(request);
    const parsed = parse(request);
    return route.method.access === 'read' ? await this.reads.read(request, parsed) : await this.writes.write(request, parsed);
  }
}

function parse({ route, method, query, body }: V4Request): ParsedCall {
  return parseCall({ route, isGet: method === 'GET', query, json: () => body ?? {} });
}
