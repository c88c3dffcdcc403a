/** `npm run check:upstream`: looks at the accounts, the spreadsheet and the permissions, and changes no cell. Needs no Redis. */
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { HttpService } from '@nestjs/axios';
import { AccountError, AccountPool, httpModuleOptions, loadAccounts, NOBODY, UpstreamClient } from '@app/sheets-client';
import axios from 'axios';
import { ConfigurationError, readConfiguration, type Configuration } from '../configuration';
import { OpenGate } from '../core/quota-gate';
import { probeAccount } from './probe-account';
import { quotasOf, readable, reportOf, type CheckReport } from './report';

const USAGE = `usage: npm run check:upstream -- [--json] [--write] [--spreadsheet ID]

Says which accounts are set (GOOGLE_APPLICATION_CREDENTIALS, GOOGLE_DEFAULT_CREDENTIALS), which spreadsheet (SPREADSHEET_ID), and
what each account may do with it. No cell is changed. For each account it makes one read (title and tabs) and one write: an atomic
call that creates a developer metadata entry on the spreadsheet and deletes it again.

  --write           also asks whether the service refuses a metadata id that exists, which exactly-once relies on: creates an
                    entry, tries the same id again, deletes it (3 more writes per account)
  --json            prints the result as JSON
  --spreadsheet ID  looks at this spreadsheet instead of SPREADSHEET_ID
  --help            this text

Ends with 0 where at least one account may read and write, with 1 where none may or the configuration is wrong, with 2 where an
option is not understood.
`;

interface Options {
  readonly json: boolean;
  readonly write: boolean;
  readonly help: boolean;
  readonly spreadsheet?: string;
}

export async function checkUpstream(configuration: Configuration, { write, spreadsheet }: Options): Promise<CheckReport> {
  const { upstream, quota } = configuration;
  const accounts = loadAccounts(upstream.accounts);
  const spreadsheetId = spreadsheet ?? configuration.spreadsheetId;
  const options = { spreadsheetId, baseUrl: upstream.baseUrl, probeClashingIds: write };
  const agents = httpModuleOptions(upstream);
  // The library's types as a module and as CommonJS are two to the compiler.
  const http = new HttpService(axios.create(agents as object) as unknown as HttpService['axiosRef']);
  const probed = [];
  for (const account of accounts.length === 0 ? [NOBODY] : accounts) {
    const client = new UpstreamClient(http, new OpenGate(), new AccountPool([account]), upstream);
    probed.push(await probeAccount(client, account, options));
  }
  const about = { upstream: upstream.baseUrl, spreadsheetId, quotaPreset: quota.preset };
  return reportOf(about, quotasOf(quota.preset, quota.limit, quota.windowMs), probed);
}

function readOptions(args: readonly string[]): Options | undefined {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        json: { type: 'boolean' },
        write: { type: 'boolean' },
        help: { type: 'boolean' },
        spreadsheet: { type: 'string' },
      },
    });
    return { json: false, write: false, help: false, ...values };
  } catch (error) {
    process.stderr.write(`check:upstream: ${(error as Error).message}\n\n${USAGE}`);
    return undefined;
  }
}

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return 2;
  if (options.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  try {
    const { spreadsheet } = options;
    const environment = spreadsheet === undefined ? process.env : { ...process.env, SPREADSHEET_ID: spreadsheet };
    const report = await checkUpstream(readConfiguration(environment), options);
    process.stdout.write(options.json ? `${JSON.stringify(report, null, 2)}\n` : readable(report));
    return report.usable ? 0 : 1;
  } catch (error) {
    const problems = error instanceof ConfigurationError ? error.problems : error instanceof AccountError ? error.message.split('\n') : undefined; // prettier-ignore
    if (problems === undefined) throw error;
    if (options.json) process.stdout.write(`${JSON.stringify({ usable: false, problems }, null, 2)}\n`);
    else process.stderr.write(problems.map((problem) => `configuration: ${problem}\n`).join(''));
    return 1;
  }
}

// Sockets that are kept for a next call would keep the process.
void main().then((code) => process.stdout.write('', () => process.exit(code)));
