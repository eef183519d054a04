/** How a right can end. Each is a column of the table. */
export const changes = {
  revoked: 'Revoked or deleted',
  roleLost: 'Role lost',
  expired: 'Expired',
  secretReplaced: 'Secret replaced',
} as const

export type Change = keyof typeof changes

/** The promise of a cell. Everything but `none` is tested. */
export type Promised =
  /** It ends, at the latest after this delay. */
  | { ends: string }
  /** It continues, for this reason. */
  | { continues: string }
  /** The change does not exist here, for this reason. */
  | { none: string }

export type Row = { name: string } & Record<Change, Promised>

const atOnce: Promised = { ends: 'at once' }
const withToken: Promised = { continues: 'until the token expires' }
const reviewed: Promised = { continues: 'work of the installation' }
const within30Seconds: Promised = { ends: 'at once; a download, ≤ 30 s' }
const noExpiry: Promised = { none: 'no expiry' }

const throughout = (promised: Promised) => ({ revoked: promised, roleLost: promised, expired: promised })

/**
 * Everything that lives longer than a request, and what becomes of it when the right behind it ends. docs/security.md shows
 * this table, and revocation.test.ts tries each cell.
 */
export const promises = {
  accessToken: { name: 'Access token', ...throughout(atOnce), secretReplaced: withToken },
  session: { name: 'Session', ...throughout(atOnce), secretReplaced: atOnce },
  signInLink: {
    name: 'Sign-in link',
    ...throughout(atOnce),
    secretReplaced: { continues: 'not made of the secret; ten minutes at most' },
  },
  providerToken: {
    name: 'Token of an identity provider',
    revoked: atOnce,
    roleLost: atOnce,
    expired: { none: 'the provider decides; each request checks the token' },
    secretReplaced: { none: 'the provider has the secret' },
  },
  refreshToken: {
    name: 'Refresh token, device flow (command line)',
    revoked: { ends: 'at once: the tokens that it yields are refused' },
    roleLost: { ends: 'at once: the tokens that it yields are refused' },
    expired: { none: 'the provider decides' },
    secretReplaced: { none: 'the provider decides' },
  },
  eventStream: {
    name: 'Event stream',
    ...throughout({ ends: 'before the next event' }),
    secretReplaced: withToken,
  },
  quietStream: { name: 'Event stream without events', ...throughout({ ends: '≤ 15 s' }), secretReplaced: withToken },
  pastEvents: {
    name: 'Event stream that still reads the past',
    ...throughout({ ends: 'before the next page' }),
    secretReplaced: withToken,
  },
  sessionStream: {
    name: 'Event stream of a session',
    ...throughout({ ends: 'before the next event' }),
    secretReplaced: { ends: 'before the next event' },
  },
  polling: {
    name: 'Feed of events, pages of a list, polling for a result',
    ...throughout(atOnce),
    secretReplaced: withToken,
  },
  csvExport: { name: 'CSV export', ...throughout({ ends: 'before the next page' }), secretReplaced: withToken },
  waitingRequest: {
    name: 'Request whose body or turn takes longer than 2 s; each step of a long change',
    ...throughout({ ends: 'before it begins' }),
    secretReplaced: withToken,
  },
  webhook: {
    name: 'Webhook',
    revoked: { ends: 'before the next delivery: paused' },
    roleLost: { ends: 'before the next delivery: events that need the role are left out' },
    expired: { ends: 'before the next delivery: paused' },
    secretReplaced: { continues: 'signs with a secret of its own' },
  },
  waitingApproval: {
    name: 'Request that waits for an approval',
    revoked: { ends: 'at once: denied' },
    roleLost: { ends: 'when it is approved: fails' },
    expired: { ends: 'when it is approved: fails' },
    secretReplaced: { continues: 'a second person decides' },
  },
  approver: { name: 'Right to approve it', ...throughout(atOnce), secretReplaced: withToken },
  job: {
    name: 'Import or check of packages or patch catalogs as a job',
    ...throughout({ ends: 'before it begins, or before its result is stored: fails' }),
    secretReplaced: { continues: 'the principal is the same' },
  },
  task: {
    name: 'Task or rollout, and its work items',
    ...throughout(reviewed),
    secretReplaced: reviewed,
  },
  createdCredential: {
    name: 'Enrolment token, credential or principal that it created',
    ...throughout(reviewed),
    secretReplaced: reviewed,
  },
  agentDownload: {
    name: 'Agent: requests and downloads',
    revoked: within30Seconds,
    roleLost: { none: 'no roles' },
    expired: noExpiry,
    secretReplaced: within30Seconds,
  },
  wakeConnection: {
    name: 'Agent: wake connection',
    revoked: atOnce,
    roleLost: { none: 'no roles' },
    expired: noExpiry,
    secretReplaced: atOnce,
  },
  depotSync: {
    name: 'Depot: synchronisation and downloads',
    revoked: within30Seconds,
    roleLost: within30Seconds,
    expired: noExpiry,
    secretReplaced: within30Seconds,
  },
  bootGrant: {
    name: 'Boot grant: installation and downloads',
    revoked: within30Seconds,
    roleLost: { none: 'no roles' },
    expired: { ends: 'at once, after 12 hours' },
    secretReplaced: { none: 'each boot script has a token of its own' },
  },
} as const satisfies Record<string, Row>

export type Thing = keyof typeof promises
