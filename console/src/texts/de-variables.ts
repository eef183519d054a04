import type { enVariables } from './en-variables.ts'

const many = 1_000
const count = (n: number, one: string, others: string) =>
  n >= many ? `${many.toLocaleString('de')} oder mehr ${others}` : `${n} ${n === 1 ? one : others}`

export const deVariables: typeof enVariables = {
  tab: 'Variablen',
  hint: 'Welche Werte Computer und Gruppen haben können, und was sie verwendet. Variablen werden im Sollzustand definiert.',
  search: 'Suche',
  searchHint: 'Ein Teil des Namens',
  columns: {
    name: 'Name',
    kind: 'Art',
    description: 'Beschreibung',
    defaultValue: 'Vorgabe',
    uses: 'Verwendet von',
    package: 'Paket',
    use: 'Wie',
    value: 'Wert',
    group: 'Gruppe',
    configuration: 'Konfiguration',
    computer: 'Computer',
    domain: 'Domäne',
    schedule: 'Gilt ab',
    forced: 'Vorrang',
  },
  kinds: { Scalar: 'Wert', Collection: 'Sammlung', Category: 'Kategorie', UserDefined: 'Benutzerdefiniert' },
  secret: 'Geheim',
  secretHint: 'Werte lassen sich schreiben, aber nie lesen',
  system: 'System',
  systemHint: 'Teil jeder Installation',
  uses: ({ packages, groups, configurations, computers }) =>
    [
      packages > 0 && count(packages, 'Paket', 'Pakete'),
      groups > 0 && count(groups, 'Gruppe', 'Gruppen'),
      configurations > 0 && count(configurations, 'Konfiguration', 'Konfigurationen'),
      computers > 0 && count(computers, 'Computer', 'Computer'),
    ]
      .filter(Boolean)
      .join(', ') || 'Nichts',
  emptyTitle: 'Noch keine Variablen',
  emptyText: 'Definieren Sie Variablen in den Dateien eines Sollzustands.',
  definition: 'Definition',
  changeHint: 'Definitionen gehören zum Sollzustand: Ändern Sie sie dort.',
  variablesBelow: 'Variablen in dieser Kategorie',
  collectionColumns: 'Spalten der Sammlung',
  nothingBelow: 'Noch nichts vorhanden',
  packages: 'Pakete',
  packagesHint:
    'Pakete aller Arten, deren Manifest die Variable verwendet. Was Skripte in den Dateien eines Pakets tun, ist nicht bekannt.',
  noPackages: 'Kein Paket verwendet sie',
  useKinds: {
    Default: 'Gibt ihr einen Wert',
    Condition: 'Nur für Computer mit bestimmten Werten',
    Secret: 'Erhält das Geheimnis',
    Command: 'In seinen Befehlen verwendet',
  },
  groups: 'Werte von Gruppen',
  noGroups: 'Keine Gruppe hat einen Wert',
  forced: 'Erzwungen',
  configurations: 'Variablenkonfigurationen',
  noConfigurations: 'Keine Konfiguration setzt sie',
  computers: 'Werte von Computern',
  noComputers: 'Kein Computer hat einen eigenen Wert',
  entry: (id) => `Eintrag ${id}`,
}
