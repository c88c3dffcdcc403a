import { parsePermissionError } from '@app/sheets-client';
import type { Reason } from '@app/write-log';

/**
 * What a refusal of the whole spreadsheet means for its writes: they are held, and their receipts say why.
 * @param emails what the spreadsheet could be shared with: the accounts of the application, as far as their addresses are known
 * @returns undefined where waiting helps by itself, as with a quota
 */
export function waitingReason(
  answer: { readonly status: number; readonly message: string; readonly body: unknown },
  { emails, writing }: { readonly emails: readonly string[]; readonly writing: boolean },
): Reason | undefined {
  const who = emails.length === 0 ? 'the account of the gateway' : emails.join(' or ');
  const said = `(the upstream says: ${answer.message})`;
  switch (answer.status) {
    case 401:
      return { code: 'not-signed-in', message: `the upstream does not accept the sign-in of ${who} ${said}` };
    case 403: {
      const problem = parsePermissionError(answer.body);
      if (problem === 'api-disabled' || problem === 'scope')
        return { code: problem, message: `${who} may not use the Sheets API ${said}` };
      return writing
        ? { code: 'no-write-permission', message: `share the spreadsheet with ${who} as an editor ${said}` }
        : { code: 'no-permission', message: `share the spreadsheet with ${who} as an editor: it may not be opened ${said}` };
    }
    case 404:
      return { code: 'unknown-spreadsheet', message: `the upstream knows no such spreadsheet any more ${said}` };
    default:
      return undefined;
  }
}
