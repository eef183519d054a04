import type { enPackageRelations } from './en-package-relations.ts'

export const dePackageRelations: typeof enPackageRelations = {
  title: 'Beziehungen und Bedingungen',
  requires: 'Benötigt',
  pulledIn: 'kommt mit',
  onlyAwaited: 'wird nur abgewartet; nach einem erneuten Import des Pakets kommt es mit',
  supersedes: 'Ersetzt',
  inPlace: 'durch Aktualisierung',
  uninstalledFirst: 'wird zuerst deinstalliert',
  conflicts: 'Verträgt sich nicht mit',
  onlyFor: 'Nur für Computer mit',
  requiredBy: 'Benötigt von',
  supersededBy: 'Ersetzt durch',
  unknown: 'kein Paket hat diesen Namen',
  conditions: {
    from: (version) => `ab ${version}`,
    below: (version) => `vor ${version}`,
    osVersion: (range) => `Betriebssystemversion ${range}`,
    osEditions: (names) => `Edition ${names}`,
    architectures: (names) => `Architektur ${names}`,
    memory: (megabytes) => `mindestens ${megabytes.toLocaleString('de')} MB Arbeitsspeicher`,
    disk: (gigabytes) => `mindestens ${gigabytes.toLocaleString('de')} GB freiem Speicherplatz`,
    with: (product) => `installiert: ${product}`,
    without: (product) => `nicht installiert: ${product}`,
    customField: (name, values) => `Feld ${name}: ${values}`,
    variable: (name, values) => `Variable ${name}: ${values}`,
  },
}
