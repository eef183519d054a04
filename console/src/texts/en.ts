import type { Role } from '../api/client.ts'
import { enDuration } from './durations.ts'
import { enActions } from './en-actions.ts'
import { enCharts } from './en-charts.ts'
import { enComputer } from './en-computer.ts'
import { enComputers } from './en-computers.ts'
import { enDecisions } from './en-decisions.ts'
import { enGroups } from './en-groups.ts'
import { enHealth } from './en-health.ts'
import { enIssues } from './en-issues.ts'
import { enLive } from './en-live.ts'
import { enOverview } from './en-overview.ts'
import { enPackages } from './en-packages.ts'
import { enProblems } from './en-problems.ts'
import { enRollouts } from './en-rollouts.ts'
import { enApprovals, enSafety } from './en-safety.ts'
import { enSignIn } from './en-sign-in.ts'
import { enTable } from './en-table.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** All texts of the console. Every other language has the same shape. */
export const en = {
  shell: {
    product: 'Muster',
    skip: 'Skip to content',
    navigation: 'Pages',
    fleet: 'Fleet',
    administration: 'Administration',
    packageRequests: 'Package requests',
    patches: 'Patches',
    audit: 'Audit trail',
    webhooks: 'Webhooks',
    enrolment: 'Enrolment',
    openMenu: 'Toggle menu',
    account: 'Account and settings',
    signedInAs: (name: string) => `Signed in as ${name}`,
    signOut: 'Sign out',
    colours: 'Colour scheme',
    language: 'Language',
    schemes: { auto: 'System', light: 'Light', dark: 'Dark' },
    notFound: 'Page not found',
    notFoundHint: 'The address may be mistyped, or the page may have been deleted.',
    toPrincipals: 'Go to principals',
    unknownFilter: 'Unknown filter',
    unknownFilterText: (filter: string) => `This page has no filter “${filter}”.`,
    withoutFilter: 'Show the page without it',
    pageFault: 'Page could not be loaded',
    toStart: 'Go to the start page',
  },
  common: {
    continue: 'Continue',
    cancel: 'Cancel',
    close: 'Close',
    save: 'Save',
    saved: 'Saved',
    refresh: 'Refresh',
    tryAgain: 'Try again',
    loading: 'Loading',
    copy: 'Copy',
    copied: 'Copied',
    none: 'None',
    never: 'Never',
    all: 'All',
    clearFilters: 'Clear filters',
    nothingFound: 'No matches',
    nothingFoundHint: 'Change or clear the filters to see more.',
    range: (from: number, to: number, total: number) => `${from}–${to} of ${total.toLocaleString('en')}`,
    previousPage: 'Previous page',
    nextPage: 'Next page',
    sortBy: (column: string) => `Sort by ${column}`,
    timeZone: (zone: string) => `Time zone: ${zone}`,
    unsavedTitle: 'Leave without saving?',
    unsavedText: 'Your changes on this page have not been saved.',
    leave: 'Leave',
    stay: 'Stay',
    duration: enDuration,
    discardTitle: 'Discard your input?',
    discardText: 'It has not been applied.',
    discard: 'Discard',
    keepEditing: 'Keep editing',
    loadMore: 'Load more',
    asOf: (age: string) => `As of ${age}`,
    connectedAgent: 'The agent is connected.',
    nextContact: (at: string) => `Next contact of the agent: ${at}.`,
    lateContact: (at: string) => `The agent is late: its next contact was expected ${at}.`,
    typeToConfirm: (text: string) => `Type ${text} to confirm`,
  },
  problems: enProblems,
  signIn: enSignIn,
  principals: {
    title: 'Principals',
    intro: 'Programs and people who may use the API.',
    create: 'Add principal',
    search: 'Search',
    searchHint: 'Name, identifier, issuer or role',
    columns: {
      name: 'Name',
      kind: 'Kind',
      identifier: 'Identifier',
      roles: 'Roles',
      state: 'State',
      expires: 'Expires',
      lastUsed: 'Last used',
    },
    kinds: { local: 'Local', user: 'User', client: 'Client' },
    kindHints: {
      local: 'A program or administrator with a client ID and a secret that Muster generates.',
      user: 'A person who signs in with your identity provider.',
      client: 'A program that gets its tokens from your identity provider.',
    },
    states: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
    protected: 'Protected',
    kindFilter: 'Kind',
    stateFilter: 'State',
    emptyTitle: 'No principals yet',
    emptyText: 'Add one for each program and person that uses the API.',
    nameless: 'Unnamed',
    roleCount: (n: number) => count(n, 'role', 'roles'),
    you: 'You',
  },
  roles: {
    title: 'Roles',
    intro: 'Which operations each role allows. Roles do not include each other.',
    search: 'Search operations',
    searchHint: 'Name, path or purpose',
    columns: { operation: 'Operation', call: 'Call', purpose: 'Purpose' },
    operationCount: (n: number) => count(n, 'operation', 'operations'),
    withoutRole: {
      'any valid token': 'Any caller with a valid token, with or without roles.',
      'no token': 'Anyone, even without a token.',
    },
    explained: {
      'computer.read': 'View computers with their inventory, health, issues, deployments, patches, tasks and depots.',
      'computer.write': 'Create, edit and delete computers, set their variables, and manage custom fields.',
      'group.read': 'View groups with their members, assignments, options and variables.',
      'group.write': 'Create, edit and delete groups, and assign computers and packages to them.',
      'package.read': 'View packages, images, templates, variable definitions and tags.',
      'package.write': 'Import packages, release them for installation, edit tags, and apply the catalog.',
      'activation.execute': 'Deploy assigned software, uninstall software, and synchronise depots.',
      'reinstall.execute': 'Reinstall a package on a computer, and cancel pending reinstallations and scans.',
      'scan.execute': 'Scan the inventory or the patches of a computer.',
      'reboot.execute': 'Reboot computers.',
      'pm.read': 'View the patch catalog and patch management groups.',
      'pm.write': 'Import patches, and create, fill and assign patch management groups.',
      'pm.approve': 'Approve patches, and revoke approvals.',
      'pm.execute': 'Start and stop emergency patching.',
      'admin.manage': 'Manage principals and their roles, decide which agents may enrol, and read the audit trail.',
    } satisfies Record<Role, string>,
  },
  approvals: enApprovals,
  safety: enSafety,
  table: enTable,
  health: enHealth,
  about: { title: 'About' },
  actions: enActions,
  charts: enCharts,
  decisions: enDecisions,
  computer: enComputer,
  computers: enComputers,
  groups: enGroups,
  infrastructure: { title: 'Infrastructure' },
  issues: enIssues,
  live: enLive,
  overview: enOverview,
  packages: enPackages,
  rollouts: enRollouts,
}

export type Texts = typeof en
