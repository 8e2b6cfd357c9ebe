import type { AccountQuery } from '../generated/operations.ts';

/** What the sections of the account page show. */
export interface AccountData {
  account: NonNullable<AccountQuery['account']>;
  email: AccountQuery['email'];
}
