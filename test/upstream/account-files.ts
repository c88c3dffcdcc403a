/** Service-account files as Google Cloud gives them, with keys made here and the mock's token endpoint. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface AccountFiles {
  /** @returns the file's path. */
  write(name: string, content: object | string): string;
  account(name: string, tokenUrl: string, more?: object): string;
  emailOf(name: string): string;
  readonly publicKey: string;
  remove(): void;
}

export function accountFiles(): AccountFiles {
  const directory = mkdtempSync(join(tmpdir(), 'accounts-'));
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const emailOf = (name: string): string => `${name}@project.iam.gserviceaccount.com`;
  const write = (name: string, content: object | string): string => {
    const path = join(directory, `${name}.json`);
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };
  return {
    write,
    account: (name, tokenUrl, more = {}) =>
      write(name, {
        type: 'service_account',
        project_id: 'project',
        private_key_id: 'k1',
        private_key: key,
        client_email: emailOf(name),
        token_uri: tokenUrl,
        ...more,
      }),
    emailOf,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }) as string,
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}
