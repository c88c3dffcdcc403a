export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly city: string;
  readonly since: string;
}

const PEOPLE: readonly (readonly [name: string, city: string])[] = [
  ['Ada Brandt', 'Hamburg'],
  ['Bilal Demir', 'Izmir'],
  ['Chiara Conti', 'Torino'],
  ['Daniel Okafor', 'Lagos'],
  ['Elena Petrova', 'Sofia'],
  ['Felix Moreau', 'Lyon'],
  ['Grace Kim', 'Busan'],
  ['Hugo Santos', 'Porto'],
  ['Ingrid Larsen', 'Bergen'],
  ['Jonas Meier', 'Bern'],
  ['Kavya Rao', 'Pune'],
  ['Liam Walsh', 'Cork'],
  ['Mei Tanaka', 'Osaka'],
  ['Noor Haddad', 'Amman'],
  ['Olga Nowak', 'Gdansk'],
  ['Pablo Ruiz', 'Sevilla'],
  ['Quinn Taylor', 'Leeds'],
  ['Rosa Mbeki', 'Durban'],
  ['Sofia Lindqvist', 'Uppsala'],
  ['Tomas Novak', 'Brno'],
];

export const CUSTOMERS: readonly Customer[] = PEOPLE.map(([name, city], index) => ({
  id: `CUS-${String(index + 1).padStart(3, '0')}`,
  name,
  email: `${name.toLowerCase().replace(' ', '.')}@example.com`,
  city,
  since: `20${18 + (index % 7)}-${String(1 + (index % 12)).padStart(2, '0')}-15`,
}));

export const CUSTOMER_HEADER = ['id', 'name', 'email', 'city', 'since'];

export function customerRows(): string[][] {
  return CUSTOMERS.map(({ id, name, email, city, since }) => [id, name, email, city, since]);
}
