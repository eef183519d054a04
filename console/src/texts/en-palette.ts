import { enPanelActions } from './en-panel-actions.ts'

const number = (n: number) => n.toLocaleString('en')

/** Texts of the palette, with which people find things, pages and actions. */
export const enPalette = {
  title: 'Find',
  search: 'Find computers, users, packages, patches, groups and pages',
  hint: 'Name, serial number, user, KB, CVE, page …',
  results: 'Matches',
  loading: 'Searching …',
  nothing: (text: string) => `Nothing matches “${text}”.`,
  failed: 'The search failed. Pages and actions are still found.',
  found: (n: number) => (n === 1 ? '1 match' : `${number(n)} matches`),
  keys: { move: 'to move', open: 'to open', close: 'to close' },
  groups: {
    recent: 'Recent',
    pages: 'Pages',
    actions: 'Actions',
    computers: 'Computers',
    users: 'Users',
    packages: 'Packages',
    groups: 'Groups',
    rollouts: 'Rollouts',
    cves: 'Vulnerabilities',
    patches: 'Patches',
    principals: 'Principals',
    guides: 'Guides',
  },
  matchedBy: {
    Name: (text: string) => text,
    SerialNumber: (text: string) => `Serial number ${text}`,
    User: (text: string) => `User ${text}`,
    MacAddress: (text: string) => `MAC address ${text}`,
    IpAddress: (text: string) => `IP address ${text}`,
    Id: (text: string) => `ID ${text}`,
  },
  patchCount: (n: number) => (n === 1 ? 'fixed by 1 patch' : `fixed by ${number(n)} patches`),
  missing: (n: number) => (n === 1 ? 'missing on 1 computer' : `missing on ${number(n)} computers`),
  allComputers: (text: string) => `List computers with “${text}”`,
  whoHas: (text: string) => `Who has software named “${text}”?`,
  notReleased: 'not released',
  actions: {
    ...enPanelActions,
    light: 'Light colours',
    dark: 'Dark colours',
    shortcuts: 'Keyboard shortcuts',
    signOut: 'Sign out',
  },
}
