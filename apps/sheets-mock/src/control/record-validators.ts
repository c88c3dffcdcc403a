/** Checks of bodies that are records by name, which class-validator does not look into by itself. */
import { plainToInstance } from 'class-transformer';
import { ValidateBy, validateSync } from 'class-validator';

/** Every value of the record is a good `Item`. */
export function IsRecordOf(Item: new () => object): PropertyDecorator {
  const isGood = (value: unknown): boolean =>
    typeof value === 'object' &&
    value !== null &&
    validateSync(plainToInstance(Item, value), { whitelist: true, forbidNonWhitelisted: true }).length === 0;
  const message = ({ property }: { property: string }): string =>
    `${property}: expected an object of ${Item.name.replace(/Body$/, '')} by name, with no other fields`;
  return ValidateBy({ name: 'isRecordOf', validator: { validate: (value) => all(value, isGood), defaultMessage: (given) => message(given as never) } }); // prettier-ignore
}

/** By spreadsheet, by account: a role. */
export function IsSharing(): PropertyDecorator {
  const isRole = (value: unknown): boolean => ['writer', 'reader', 'none'].includes(value as string);
  const message = 'sharing: expected {spreadsheetId: {email: "writer", "reader" or "none"}}';
  return ValidateBy({ name: 'isSharing', validator: { validate: (value) => all(value, (roles) => all(roles, isRole)), defaultMessage: () => message } }); // prettier-ignore
}

function all(record: unknown, check: (value: unknown) => boolean): boolean {
  return typeof record === 'object' && record !== null && Object.values(record).every(check);
}
