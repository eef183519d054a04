import { deDurationDative } from './durations.ts'
import type { enAbout } from './en-about.ts'

const count = (n: number, one: string, many: string) => `${n.toLocaleString('de')} ${n === 1 ? one : many}`

export const deAbout: typeof enAbout = {
  title: 'Über Muster',
  intro: 'Versionen, Zustand und Ihre Sitzung.',
  health: 'Zustand',
  healthy: 'Der Dienst und seine Datenbank arbeiten störungsfrei.',
  versions: 'Versionen',
  pages: 'Konsole',
  service: 'Dienst',
  database: 'Datenbank',
  migration: 'Letzte Migration',
  patchCatalog: 'Patchkatalog',
  patches: (n) => count(n, 'Patch', 'Patches'),
  noCatalog: 'Nicht importiert',
  session: 'Ihre Sitzung',
  signedInAs: 'Angemeldet als',
  signedInBy: 'Anmeldemethode',
  localCredentials: 'Client-ID und Secret',
  yourRoles: 'Ihre Rollen',
  endsAt: 'Läuft spätestens ab',
  idleHint: (minutes) => `Sie endet auch nach ${deDurationDative(minutes)} Inaktivität.`,
  reference: 'API-Beschreibung (OpenAPI)',
  versionsNeedRole: 'Die Versionen des Dienstes anzuzeigen erfordert die Rolle computer.read.',
  duplicateNames: {
    title: 'Namen, die gleich aussehen',
    intro:
      'Diese Namen unterscheiden sich nur in Leerzeichen, Zeilenumbrüchen oder der Kodierung von Akzenten. Neue Namen unterscheiden sich immer in mehr. Benennen Sie alle bis auf einen um, oder löschen Sie sie.',
    kind: 'Art',
    name: 'Name',
    stored: 'Wie gespeichert',
    place: 'Ort',
    kinds: {
      Computer: 'Computer',
      CustomField: 'Freies Feld',
      Group: 'Gruppe',
      Package: 'Paket',
      PatchGroup: 'Patchgruppe',
      SoftwareClass: 'Softwareklasse',
      Tag: 'Tag',
      VariableConfiguration: 'Variablenkonfiguration',
      VariableDefinition: 'Variable',
      Webhook: 'Webhook',
    },
  },
}
