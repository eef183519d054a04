import type { enDesiredState } from './en-desired-state.ts'

const number = (n: number) => n.toLocaleString('de')
const count = (n: number, one: string, many: string) => `${number(n)} ${n === 1 ? one : many}`
const changes = (n: number) => count(n, 'Änderung', 'Änderungen')

export const deDesiredState: typeof enDesiredState = {
  title: 'Sollzustand',
  intro:
    'Vergleichen Sie Dateien aus der Versionsverwaltung mit dieser Installation, und wenden Sie die Unterschiede an.',
  tabs: { apply: 'Planen und anwenden', current: 'Aktueller Zustand' },

  files: 'Dateien',
  drop: 'Ziehen Sie die Dateien oder den Ordner eines Sollzustands irgendwo auf diese Seite.',
  chooseFiles: 'Dateien auswählen',
  chooseFolder: 'Ordner auswählen',
  removeFile: (name) => `${name} entfernen`,
  removeAll: 'Alle Dateien entfernen',
  otherFiles: (n) =>
    n === 1
      ? '1 andere Datei wurde ausgelassen: Nur .yaml, .yml und .json werden gelesen.'
      : `${number(n)} andere Dateien wurden ausgelassen: Nur .yaml, .yml und .json werden gelesen.`,
  tooLarge: (name) => `${name} ist größer als 32 MB und wurde ausgelassen.`,
  mistake: 'Die Dateien enthalten einen Fehler',
  documentTooLarge:
    'Die Dateien sind größer, als der Dienst in einer Anfrage annimmt. Ein Administrator des Dienstes kann MUSTER_BODY_LIMIT erhöhen.',
  prune: 'Auch entfernen, was die Dateien nicht nennen',
  pruneHint:
    'In den Abschnitten, die die Dateien enthalten. Pakete, Wurzeln, Systemvariablen und geschützte Zugänge bleiben.',
  makePlan: 'Plan anzeigen',

  plan: 'Plan',
  actions: { add: 'Angelegt', change: 'Geändert', remove: 'Entfernt' },
  actionOf: { add: 'Anlegen', change: 'Ändern', remove: 'Entfernen' },
  blocked: 'Blockiert',
  noChanges: 'Nichts zu tun',
  noChangesHint: 'Die Installation entspricht bereits den Dateien.',
  isBlocked: (n) =>
    `${changes(n)} ${n === 1 ? 'ist' : 'sind'} nicht möglich. Nichts wird angewendet, bis die Dateien oder die Installation korrigiert sind.`,
  missingRoles: (roles) => `Um diesen Plan anzuwenden, brauchen Sie außerdem ${roles}.`,
  blockedBy: (reason) => `Blockiert: ${reason}`,
  rehearsed: (n) =>
    `Ausprobiert und zurückgenommen: ${n === 1 ? 'Die Änderung gelingt' : `Alle ${changes(n)} gelingen`}.`,
  rehearsedPartly: (n, total) =>
    `Ausprobiert und zurückgenommen: Die ersten ${number(n)} von ${number(total)} Änderungen gelingen. Die übrigen auszuprobieren würde zu lange dauern.`,
  work: (group, items, n) =>
    `Eine Verteilung an ${group} würde dann ${items === null ? 'sehr viele Aufträge' : count(items, 'Auftrag', 'Aufträge')} für ${number(n)} Computer anlegen.`,
  search: 'Suche',
  searchHint: 'Name oder Abschnitt',
  show: 'Änderungen anzeigen',
  showMore: (n, left) => `${number(n)} von ${number(left)} weiteren anzeigen`,
  columns: {
    action: 'Aktion',
    object: 'Objekt',
    fields: 'Werte',
    computers: 'Computer',
    section: 'Abschnitt',
    name: 'In Dateien',
    objects: 'Objekte',
  },
  fromTo: (before, after) => `${before} → ${after}`,
  members: (joining, leaving) => `${number(joining)} kommen hinzu, ${number(leaving)} fallen weg`,

  apply: 'Anwenden',
  applyHint:
    'Genau dieser Plan wird Schritt für Schritt angewendet. Würde etwas anderes geändert, weil inzwischen jemand etwas geändert hat, wird nichts angewendet.',
  applyChanges: (n) => `${changes(n)} anwenden`,
  continue: 'Fortsetzen',
  notApplicable: 'Dieser Plan lässt sich so nicht anwenden.',
  secretsHint: 'Der Plan schreibt Geheimnisse, die in den Dateien nur benannt sind. Geben Sie ihre Werte ein.',
  showSecret: (reference) => `Wert von ${reference} anzeigen`,
  typeRemovals: (n) =>
    `${count(n, 'Objekt wird', 'Objekte werden')} entfernt. Geben Sie ${n} ein, um das zu bestätigen`,
  progress: (made, total) => `${number(made)} von ${changes(total)} ausgeführt`,
  stop: 'Anhalten',
  stopping: 'Hält nach diesem Schritt an …',
  stopped: (made, total) =>
    `${number(made)} von ${changes(total)} sind ausgeführt und bleiben. Setzen Sie fort, um die übrigen auszuführen.`,
  done: (n) => `${changes(n)} ausgeführt`,
  toActivate: 'Software erreicht die Computer mit der nächsten Verteilung an diese Gruppen:',
  toGroups: 'Gruppen öffnen',
  toAudit: 'Audit-Protokoll öffnen',
  stale: 'Die Installation hat sich geändert, seit dieser Plan entstand. Nichts wurde angewendet',
  planAgain: 'Neu planen',
  refused: (name) => `Abgelehnt: ${name}`,
  needsApproval: (name) => `${name} wartet auf die Freigabe durch einen zweiten Administrator. Setzen Sie danach fort.`,

  current: 'Was jetzt gilt',
  currentHint:
    'Die Abschnitte, die Sie lesen dürfen, ohne IDs, Zeiten und Geheimnisse. Legen Sie die Datei in die Versionsverwaltung, ändern Sie sie, und planen Sie sie hier oder mit muster catalog.',
  download: 'state.yaml herunterladen',
  noSections: 'Nichts anzuzeigen',
  noSectionsHint: 'Ihre Rollen erlauben keinen der Abschnitte.',
  firstObjects: (n, total) => `Die ersten ${number(n)} von ${number(total)} Objekten. Die Datei enthält alle.`,

  sections: {
    tags: 'Tags',
    variableDefinitions: 'Variablen',
    variableConfigurations: 'Variablenkonfigurationen',
    packages: 'Pakete',
    softwareClasses: 'Softwareklassen',
    customFields: 'Eigene Felder',
    groups: 'Gruppen',
    groupPackages: 'Pakete von Gruppen',
    groupSoftwareClasses: 'Softwareklassen von Gruppen',
    groupVariableConfigurations: 'Variablenkonfigurationen von Gruppen',
    groupLanguagePacks: 'Sprachpakete von Gruppen',
    groupAgentTemplates: 'Agentenvorlagen von Gruppen',
    groupOperatingSystems: 'Betriebssysteme von Gruppen',
    groupPxeBootImages: 'PXE-Boot-Images von Gruppen',
    groupOptions: 'Verteilungsoptionen',
    groupVariables: 'Werte von Gruppen',
    groupCollections: 'Sammlungen von Gruppen',
    patches: 'Patches',
    patchGroups: 'Patch-Gruppen',
    patchGroupPatches: 'Patches von Patch-Gruppen',
    patchApprovals: 'Freigegebene Patches',
    patchGroupAssignments: 'Zuweisungen von Patch-Gruppen',
    groupRules: 'Regeln von Gruppen',
    groupConvergence: 'Konvergenz von Gruppen',
    groupKinds: 'Arten von Gruppen',
    webhooks: 'Webhooks',
    principals: 'Zugänge',
  },
}
