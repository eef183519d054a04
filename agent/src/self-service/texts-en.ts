import type { SoftwareItem, UserAnswers, UserView } from '../user-channel/messages.ts'

type Outcome = UserAnswers['request']['outcome']

/** All texts of the page. The keys of states, results and reasons are those of the protocol. */
export const english = {
  locale: 'en-GB',
  title: 'Software on this computer',
  intro: 'Install what your organisation offers, see what is happening, and ask for what is missing.',
  signedInAs: (user: string) => `Signed in as ${user}`,
  otherLanguage: 'Deutsch',
  skip: 'Skip to the software',
  search: 'Search',
  category: 'Category',
  allCategories: 'All categories',
  show: 'Show',
  states: {
    Offered: 'Available',
    Running: 'Now',
    Pending: 'Planned',
    Failed: 'Failed',
    Installed: 'Installed',
  } satisfies Record<SoftwareItem['state'], string>,
  nothing: 'Nothing found.',
  found: (n: number) => (n === 1 ? '1 package found' : `${n} packages found`),
  install: 'Install',
  installNamed: (name: string) => `Install ${name}`,
  taken: 'Requested. It starts shortly.',
  offeredUntil: (date: string) => `Available until ${date}`,
  installedOn: (date: string) => `Installed on ${date}`,
  failedOn: (date: string) => `Failed on ${date}. Your administrators can see the cause.`,
  progressOf: (name: string) => `Progress of ${name}`,
  whyNot: 'Why not yet?',
  whyNotNow: 'Nothing stands in the way. It starts at the next contact with the server.',
  whyNotFailed: 'The installation did not succeed. Your administrators can see the cause, and can repeat it.',
  actions: { Install: 'Installing', Update: 'Updating', Uninstall: 'Removing', Reinstall: 'Installing again' } as Record<
    string,
    string
  >,
  planned: { Install: 'Will be installed', Update: 'Will be updated', Uninstall: 'Will be removed', Reinstall: 'Will be installed again' } as Record<
    string,
    string
  >,
  reasons: {
    AgentSuspended: 'Installations are paused on this computer.',
    InstallationFrozen: 'Your administrators have paused all installations.',
    RolloutPaused: 'Your administrators have paused this software.',
    NotReleased: 'Your administrators have not released it yet.',
    HashMissing: 'Your administrators have not released it yet.',
    HashMismatch: 'Your administrators have not released it yet.',
    RequirementMissing: 'Other software must be installed first.',
    RequiredByOthers: 'Other software that needs it must be removed first.',
    Postponed: 'You, or another user of this computer, have postponed it.',
    RetryLater: 'It failed and will be tried again.',
    NotYetDue: 'It is planned for later.',
    OutsideWindow: 'It is installed only at certain times.',
    RolloutWindow: 'It is installed only at certain times.',
    RebootFirst: 'The computer must restart first.',
    OtherWorkFirst: 'Other work comes first.',
    TooManyItems: 'Other work comes first.',
    NotEnoughWindow: 'It is installed only at certain times.',
    NoPatchReleased: 'There is nothing to update at the moment.',
  } as Record<string, string>,
  otherReason: 'Your administrators have to do something first.',
  until: (date: string) => `Until ${date}.`,
  firstInstall: (names: string) => `First: ${names}.`,
  postponeTitle: 'Not now?',
  postponeIntro: 'Installations and restarts that may wait are postponed, as far as your administrators allow it.',
  postponeBy: 'Postpone by',
  postponeTimes: { '1h': '1 hour', '4h': '4 hours', '1d': '1 day' },
  postpone: 'Postpone',
  postponedUntil: (date: string) => `Work that may wait is postponed until ${date}.`,
  postponed: (date: string, affected: number) =>
    affected === 0
      ? `Postponed until ${date}. Nothing that is planned now may wait, so this affects only what is planned later.`
      : `Postponed until ${date}.`,
  requestTitle: 'Something missing?',
  requestIntro: 'Ask for software. An administrator decides, and you see the answer here.',
  wish: 'What do you need?',
  reason: 'Why do you need it? (optional)',
  send: 'Send request',
  requests: 'Your requests',
  noRequests: 'You have not asked for anything yet.',
  requestStates: { Pending: 'Waiting for a decision', Approved: 'Approved', Declined: 'Declined' } satisfies Record<
    UserView['requests'][number]['state'],
    string
  >,
  requestOutcomes: {
    Recorded: 'Your request waits for an administrator.',
    Kept: 'The server cannot be reached. Your request is sent as soon as it can.',
    TooMany: 'Your request was not stored: too many requests of this computer wait, or were made today.',
  } satisfies Record<Outcome, string>,
  takenMessage: (name: string) => `${name} is requested.`,
  history: 'History',
  noHistory: 'Nothing has happened yet.',
  results: { Pending: 'Planned', Running: 'Started', Success: 'Done', Failed: 'Failed', Cancelled: 'Cancelled' } satisfies Record<
    UserView['history'][number]['result'],
    string
  >,
  columns: { when: 'When', software: 'Software', what: 'What', result: 'Result' },
  kinds: { Install: 'Installation', Update: 'Update', Uninstall: 'Removal', Reinstall: 'New installation' } as Record<
    string,
    string
  >,
  rebootRequired: 'This computer must be restarted to complete an installation.',
  suspended: 'Installations are paused on this computer.',
  notCurrent: (date: string) => `The server cannot be reached. This is what was known on ${date}.`,
  neverListed: 'The server has not listed the software of this computer yet.',
  errors: {
    NotOffered: 'This software is not offered any more.',
    InvalidRequest: 'This is not possible. Check what you have entered.',
    TooManyRequests: 'That was too often. Try again in a minute.',
    TooManyChoices: 'Too much waits for the server. Try again later.',
    Unreachable: 'The agent of this computer is not running. Ask your administrator.',
  } as Record<string, string>,
  failed: 'This did not work. Try again later.',
  expired: 'This page has ended. Run “muster-agent open” again.',
  updated: 'The list is updated automatically.',
}

export type Texts = typeof english
