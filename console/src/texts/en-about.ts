import { enDuration } from './durations.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('en')} ${n === 1 ? one : many}`

export const enAbout = {
  title: 'About',
  intro: 'Versions, health and your session.',
  health: 'Health',
  healthy: 'The service and its database work as they should.',
  versions: 'Versions',
  pages: 'Console',
  service: 'Service',
  database: 'Database',
  migration: 'Latest migration',
  patchCatalog: 'Patch catalog',
  patches: (n: number) => count(n, 'patch', 'patches'),
  noCatalog: 'Not imported',
  session: 'Your session',
  signedInAs: 'Signed in as',
  signedInBy: 'Sign-in method',
  localCredentials: 'Client ID and secret',
  yourRoles: 'Your roles',
  endsAt: 'Expires at the latest',
  idleHint: (minutes: number) => `It also ends after ${enDuration(minutes)} of inactivity.`,
  reference: 'API description (OpenAPI)',
  versionsNeedRole: 'Viewing the versions of the service requires the role computer.read.',
  duplicateNames: {
    title: 'Names that look the same',
    intro:
      'These names differ only in blanks, line breaks or the encoding of accents. New names always differ in more than that. Rename or delete all but one of each.',
    kind: 'Kind',
    name: 'Name',
    stored: 'As stored',
    place: 'Place',
    kinds: {
      Computer: 'Computer',
      CustomField: 'Custom field',
      Group: 'Group',
      Package: 'Package',
      PatchGroup: 'Patch group',
      SoftwareClass: 'Software class',
      Tag: 'Tag',
      VariableConfiguration: 'Variable configuration',
      VariableDefinition: 'Variable',
      Webhook: 'Webhook',
    },
  },
}
