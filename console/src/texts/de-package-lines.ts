import type { enPackageLines } from './en-package-lines.ts'

const number = (value: number) => value.toLocaleString('de')
const plural = (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`
const groups = (count: number) => plural(count, 'Gruppe', 'Gruppen')
const computers = (count: number) => plural(count, 'Computer', 'Computer')
const packages = (count: number) => plural(count, 'Paket', 'Pakete')

export const dePackageLines: typeof enPackageLines = {
  title: 'Versionen',
  intro: 'Pakete mit demselben Namen für dieselbe Plattform sind Versionen einer Linie.',
  search: 'Name eines Pakets',
  noLines: 'Es wurde noch keine Software importiert.',
  platforms: { Windows: 'Windows', Linux: 'Linux', Any: 'Jede Plattform' },
  columns: {
    line: 'Linie',
    version: 'Version',
    state: 'Zustand',
    groups: 'Gruppen',
    installed: 'Installiert',
    pending: 'Ausstehend',
    size: 'Größe',
    upgrade: 'Vorschlag',
  },
  states: { InUse: 'Verwendet', Superseded: 'Abgelöst', Unused: 'Unbenutzt' },
  thisVersion: 'diese Version',
  inClasses: (count) => `in ${plural(count, 'Softwareklasse', 'Softwareklassen')}`,
  hint: 'Alle Pakete mit demselben Namen für dieselbe Plattform, die neueste Version zuerst.',
  proposed: (version, count) => `${version} für ${groups(count)} mit einer älteren Version`,
  proposal: (version, count) =>
    `${groups(count)} ${count === 1 ? 'hat' : 'haben'} eine ältere Version. Version ${version} ist freigegeben: Verteilen Sie sie Ring für Ring.`,
  upgrade: {
    open: 'Gruppen umstellen',
    title: (name) => `${name} an Gruppen mit einer älteren Version verteilen`,
    label: 'Umstellung starten',
    groups: 'Gruppen',
    from: (version, count) => `von ${version}, ${computers(count)}`,
    none: 'Keine Gruppe hat eine ältere Version.',
    obstacles: {
      SpecialGroup: 'Gruppen für Neuinstallation, EOL und Restore behalten, was sie haben',
      CoveredBySoftwareClass: 'bekommt diese Version durch eine Softwareklasse',
      RolloutRunning: 'ein Rollout einer älteren Version ist mit seinen Ringen noch nicht fertig',
    },
    describes: (count, reached) =>
      `${groups(count)} mit ${computers(reached)} ${count === 1 ? 'bekommt' : 'bekommen'} diese Version anstelle der älteren. Ring eins kommt zuerst; der nächste Ring öffnet, wenn die Ergebnisse gut sind.`,
    rollout: (count) => computers(count),
    done: 'Die Umstellung hat begonnen.',
  },
  line: {
    open: 'Linie ändern',
    title: (name) => `Linie von ${name}`,
    field: 'Name der Linie',
    hint: 'Pakete einer Linie sind Versionen voneinander. Hat ein Hersteller seine Software umbenannt, geben Sie beiden Namen dieselbe Linie. Leer: der Name im Manifest.',
    joins: (name, count) =>
      `Es ist eine von ${count.toLocaleString('de')} ${count === 1 ? 'Version' : 'Versionen'} von ${name}. Computer sind nicht betroffen.`,
  },
  upgrades: 'Umstellungen',
  upgradesHint: 'Zurücknehmen bringt die vorherige Version auf die Computer, die eine Umstellung erreicht hat.',
  upgradeStates: {
    Running: 'Läuft',
    Paused: 'Angehalten',
    Completed: 'Alle Ringe fertig',
    Cancelled: 'Abgebrochen',
    RollingBack: 'Wird zurückgenommen',
    RolledBack: 'Zurückgenommen',
  },
  upgradeColumns: {
    version: 'Auf Version',
    state: 'Zustand',
    groups: 'Gruppen',
    started: 'Begonnen',
    rollouts: 'Rollouts',
    action: 'Aktion',
  },
  by: (name) => `von ${name}`,
  rollBack: {
    open: 'Zurücknehmen',
    title: (name) => `${name} zurücknehmen`,
    label: 'Zurücknehmen',
    describes: (back, withdrawn) =>
      `${computers(back)} ${back === 1 ? 'bekommt' : 'bekommen'} wieder die vorherige Version: Die neue wird deinstalliert, wenn das möglich ist, und die vorherige installiert.` +
      (withdrawn > 0
        ? ` Auf ${plural(withdrawn, 'Computer', 'Computern')} wird ausstehende Arbeit zurückgezogen.`
        : ''),
    backTo: (version) => `zurück auf ${version}`,
    obstacles: {
      GroupDeleted: 'die Gruppe wurde gelöscht',
      PackageDeleted: 'die vorherige Version wurde gelöscht',
      NoContent: 'Dateien der vorherigen Version fehlen oder wurden geändert',
      NotReleased: 'die vorherige Version ist nicht freigegeben',
      NoExactVersion: 'die vorherige Version kommt aus einem Repository, ohne genaue Versionsnummer',
      AssignmentChanged: 'die Gruppe hat die neue Version nicht mehr',
    },
    done: 'Die Umstellung wird zurückgenommen.',
  },
  cleanUp: {
    open: 'Aufräumen',
    title: 'Versionen löschen, auf die nichts verweist',
    label: 'Löschen',
    none: 'Auf jede Version verweist etwas.',
    newest: 'neueste Version',
    frees: (size) => `gibt ${size} frei`,
    describes: (count, size) =>
      `${packages(count)} ${count === 1 ? 'wird' : 'werden'} gelöscht. Das gibt innerhalb von Stunden ${size} frei und lässt sich nicht rückgängig machen.`,
    done: (count) => `${packages(count)} ${count === 1 ? 'wurde' : 'wurden'} gelöscht.`,
  },
}
